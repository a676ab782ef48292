# Finds the folders of a module that use declarations of other folders: types, free functions, and members that an extension adds to a type
# of another folder.
package FolderGraph;
use strict;
use warnings;
use SwiftSources;

# Returns the folder of a path below a root, limited to the parts in a list of folders, or to the first two parts.
sub folder_of {
    my ($path, $root, $known) = @_;
    my $folder = substr $path, length($root) + 1;
    $folder =~ s{/?[^/]+$}{};
    if ($known) {
        while ($folder ne '' && !$known->{$folder}) { $folder =~ s{/?[^/]+$}{} }
        return $folder eq '' && !$known->{''} ? undef : $folder;
    }
    return $folder =~ m{^([^/]+(?:/[^/]+)?)} ? $1 : '';
}

# Returns references between folders, as {from, to, name, path, line}; each name once per file.
sub references {
    my ($root, $known, @files) = @_;
    @files = grep { index($_->{path}, "$root/") == 0 } @files;
    my (%types, %members, %names, %folder);
    for my $file (@files) {
        my $folder = $folder{$file->{path}} = folder_of($file->{path}, $root, $known);
        next unless defined $folder;
        for my $type (grep { $_->{outer} } SwiftSources::types($file)) {
            $types{$type->{name}}{$folder} = 1 if $type->{kind} ne 'extension' && $type->{modifiers} !~ /\bprivate\b/;
        }
    }
    for my $file (@files) {
        my $folder = $folder{$file->{path}};
        my $code = $file->{code};
        $names{$1}{$file->{path}} = 1 while $code =~ /\b(?:func|var|let|case|for|typealias|_|,)\s+(\w+)/g;
        $names{$1}{$file->{path}} = 1 while $code =~ /\b(\w+):/g;
        next unless defined $folder;
        for my $extension (grep { $_->{outer} && $_->{kind} eq 'extension' && $_->{body} } SwiftSources::types($file)) {
            my ($outermost) = $extension->{name} =~ /^(\w+)/;
            next if $types{$outermost} && $types{$outermost}{$folder};
            my ($start, $end) = @{$extension->{body}};
            my $body = substr $code, $start, $end - $start;
            while ($body =~ /^    (?! )(?:\@\w+(?:\([^)]*\))?\s+|\w+\s+)*?(?:func|var|let)\s+(\w+)/mg) {
                $members{$1}{$folder} = 1;
                $members{$1}{file}{$file->{path}} = 1;
            }
        }
    }
    # A member counts if its name is unique in the module.
    for my $name (keys %members) {
        my $own = delete $members{$name}{file};
        delete $members{$name} if grep { !$own->{$_} } keys %{$names{$name} // {}};
    }
    my @found;
    for my $file (@files) {
        my $from = $folder{$file->{path}};
        next unless defined $from;
        my %seen;
        while ($file->{code} =~ /(?:(?<!\.)\b([A-Z]\w*)|\.\s*([a-z]\w*))\b/g) {
            my ($name, $declared) = defined $1 ? ($1, $types{$1}) : ($2, $members{$2});
            next if !$declared || $declared->{$from} || $seen{$name}++;
            push @found, {
                from => $from, to => [sort keys %$declared], name => $name, path => $file->{path},
                line => SwiftSources::line_of($file, $-[0]),
            };
        }
    }
    return @found;
}

# Returns how many pairs of folders use each other.
sub mutual_pairs {
    my ($root, @files) = @_;
    my %uses;
    for my $reference (references($root, undef, @files)) {
        my @parts = map { m{^([^/]+)} ? $1 : '' } $reference->{from}, $reference->{to}[0];
        $uses{$parts[0]}{$parts[1]} = 1 if $parts[0] ne $parts[1] && @{$reference->{to}} == 1;
    }
    my $count = 0;
    for my $from (keys %uses) { $count += grep { $from lt $_ && $uses{$_}{$from} } keys %{$uses{$from}} }
    return $count;
}

1;
