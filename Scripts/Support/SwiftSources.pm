# Reads Swift files for Check/structure and Measure/source-counts: code without comments and literals, functions with their parameters, and
# declarations with their doc comments. Relies on the layout of `swift format`. Needs only perl-base.
package SwiftSources;
use strict;
use warnings;

# A string literal with its interpolations, a multi-line or raw string, and both kinds of comments.
my $token = qr{
    (?<comment> //[^\n]* | (?<block> /\* (?: [^*/]++ | /(?!\*) | \*(?!/) | (?&block) )* \*/ ) )
    | \#+".*?"\#+ | """.*?"""
    | (?<string> " (?: [^"\\\n]++ | \\ (?<paren> \( (?: [^()"]++ | (?&paren) | (?&string) )* \) ) | \\ . )* " )
}xs;

# Returns the sorted paths of all files below a folder whose names match a pattern.
sub files {
    my ($folder, $pattern) = @_;
    opendir my $handle, $folder or return ();
    my @names = sort grep { !/^\./ } readdir $handle;
    closedir $handle;
    return map {
        my $path = "$folder/$_";
        -d $path ? files($path, $pattern) : $path =~ $pattern ? $path : ();
    } @names;
}

# Reads a file: path, raw lines, code (comments and literals are spaces, to keep offsets), comments as [line, text].
sub read_source {
    my ($path) = @_;
    open my $handle, '<', $path or die "$path: $!\n";
    my $text = do { local $/; <$handle> };
    close $handle;
    my $file = { path => $path, lines => [split /\n/, $text, -1], comments => [] };
    my $code = $text;
    $code =~ s{$token}{
        my ($whole, $start) = ($&, $-[0]);
        push @{$file->{comments}}, [$start, $whole] if defined $+{comment};
        (my $blank = $whole) =~ s/[^\n]/ /g;
        $blank
    }gex;
    $code =~ s/->/  /g;
    $file->{code} = $code;
    my @starts = (0);
    push @starts, pos $code while $code =~ /\n/g;
    $file->{starts} = \@starts;
    $_->[0] = line_of($file, $_->[0]) for @{$file->{comments}};
    pair_braces($file);
    return $file;
}

# Returns the line number of an offset, from 1.
sub line_of {
    my ($file, $offset) = @_;
    my ($low, $high) = (0, $#{$file->{starts}});
    while ($low < $high) {
        my $middle = int(($low + $high + 1) / 2);
        if ($file->{starts}[$middle] <= $offset) { $low = $middle } else { $high = $middle - 1 }
    }
    return $low + 1;
}

# Finds the closing brace of each opening one, and the depth of braces at each line start.
sub pair_braces {
    my ($file) = @_;
    my (@open, %closing, @parents);
    while ($file->{code} =~ /([{}])/g) {
        my $offset = $-[1];
        if ($1 eq '{') {
            push @open, $offset;
        } elsif (@open) {
            my $start = pop @open;
            $closing{$start} = $offset;
            push @parents, [$start, $offset];
        }
    }
    $file->{closing} = \%closing;
    $file->{blocks} = [sort { $a->[0] <=> $b->[0] } @parents];
}

# Returns the brace blocks around an offset, outermost first.
sub enclosing {
    my ($file, $offset) = @_;
    return grep { $_->[0] < $offset && $offset < $_->[1] } @{$file->{blocks}};
}

# Returns the offset after the matching closing bracket.
sub after_bracket {
    my ($code, $offset) = @_;
    my $depth = 0;
    pos($code) = $offset;
    while ($code =~ /\G[^()\[\]{}]*([()\[\]{}])/gc) {
        $depth += $1 =~ /[(\[{]/ ? 1 : -1;
        return pos $code if $depth == 0;
    }
    return length $code;
}

# Returns types and extensions: kind, name, offset, body [start, end], modifiers, and whether they are at the top level.
sub types {
    my ($file) = @_;
    return @{$file->{types}} if $file->{types};
    my @types;
    while ($file->{code} =~ /^([ ]*)((?:\@\w+(?:\([^)]*\))?\s+|(?:public|package|internal|fileprivate|private|open|final|indirect|nonisolated|dynamic)\s+)*)(struct|class|enum|protocol|actor|extension|typealias)\s+([\w.]+)/mg) {
        my ($modifiers, $kind, $name, $offset) = ($2, $3, $4, $-[3]);
        next if $name =~ /^(?:func|var|let|subscript)$/;
        my $body;
        if ($kind ne 'typealias') {
            my $brace = index $file->{code}, '{', $offset;
            $body = [$brace, $file->{closing}{$brace} // length $file->{code}] if $brace >= 0;
        }
        push @types, {
            kind => $kind, name => $name, offset => $offset, modifiers => $modifiers, body => $body,
            line => line_of($file, $offset), outer => scalar(() = enclosing($file, $offset)) == 0,
        };
    }
    $file->{types} = \@types;
    return @types;
}

# Returns functions, initialisers and subscripts: name, line, number of parameters, number of inout parameters, length in lines.
sub functions {
    my ($file) = @_;
    return @{$file->{functions}} if $file->{functions};
    my $code = $file->{code};
    my @functions;
    while ($code =~ /(?<![\w.`])(?:func\s+([\w`]+|[^\s\w(]+)|(init)[?!]?|(subscript))\s*(<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>)?\s*(?=\()/g) {
        my ($name, $offset, $open) = ($1 // $2 // $3, $-[0], pos $code);
        my $close = after_bracket($code, $open);
        my $list = substr $code, $open + 1, $close - $open - 2;
        my @parameters = split_list($list);
        my $function = {
            name => $name, offset => $offset, line => line_of($file, $offset), parameters => scalar @parameters,
            inouts => scalar(grep { /:\s*(?:(?:borrowing|sending|isolated|\@\w+)\s+)*inout\b/ } @parameters), length => 1,
        };
        # The body opens at the end of the signature, where the formatter puts the brace.
        if (substr($code, $close, 2000) =~ /\A([^{}]*?)\{/ && $1 !~ /\n\s*(?:\@|\/\/|(?:public|private|static|func|init|var|let|case|package|mutating)\b)|\n\s*\n/) {
            my $brace = $close + length $1;
            $function->{body} = [$brace, $file->{closing}{$brace} // $brace];
            $function->{length} = line_of($file, $function->{body}[1]) - $function->{line} + 1;
        }
        pos($code) = $close;
        push @functions, $function;
    }
    $file->{functions} = \@functions;
    return @functions;
}

# Splits a list at commas outside of brackets.
sub split_list {
    my ($list) = @_;
    my ($depth, @parts) = (0, '');
    for my $piece (split /([()\[\]{}<>,])/, $list) {
        $depth++ if $piece =~ /^[(\[{<]$/;
        $depth-- if $piece =~ /^[)\]}>]$/;
        if ($piece eq ',' && $depth == 0) { push @parts, '' } else { $parts[-1] .= $piece }
    }
    return grep { /\S/ } @parts;
}

# Whether a doc comment precedes the declaration in a line, with only attributes and formatter directives between.
sub is_documented {
    my ($file, $line) = @_;
    my $above = $line - 1;    # 1-based number of the previous line
    while ($above >= 1) {
        my $text = $file->{lines}[$above - 1];
        return 1 if $text =~ m{^\s*///} || $text =~ m{\*/\s*$};
        last unless $text =~ m{^\s*(?:\@\w+(?:\(.*\))?\s*)+$|^\s*//};
        $above--;
    }
    return 0;
}

# Returns the lines of doc comments whose first word matches a pattern.
sub doc_openings {
    my ($file, $pattern) = @_;
    my @lines = @{$file->{lines}};
    return map { $_ + 1 } grep {
        $lines[$_] =~ m{^\s*///\s*$pattern} && ($_ == 0 || $lines[$_ - 1] !~ m{^\s*///})
    } 0 .. $#lines;
}

# Returns public declarations, also by their public protocol, enumeration or extension: line and kind.
sub public_declarations {
    my ($file) = @_;
    my @public;
    my $members = qr/(?:static\s+|class\s+|final\s+|override\s+|mutating\s+|nonmutating\s+|consuming\s+|borrowing\s+|nonisolated(?:\([a-z]+\))?\s+|required\s+|convenience\s+|indirect\s+|lazy\s+|weak\s+|unowned\s+|dynamic\s+|unsafe\s+|private\(set\)\s+|internal\(set\)\s+|package\(set\)\s+|fileprivate\(set\)\s+|\@\w+(?:\([^)]*\))?\s+)*/;
    while ($file->{code} =~ /^[ ]*$members(?:public|open)\s+$members((struct|class|enum|protocol|actor|extension|typealias|func|init|subscript|var|let|associatedtype)\b[^\n]*)/mg) {
        my ($text, $kind, $offset) = ($1, $2, $-[1]);
        push @public, [line_of($file, $offset), $text, $offset] unless $kind eq 'extension';
    }
    for my $type (types($file)) {
        next unless $type->{body} && $type->{modifiers} =~ /\b(?:public|open)\b/ && $type->{kind} =~ /^(?:protocol|enum|extension)$/;
        my ($start, $end) = @{$type->{body}};
        my $body = substr $file->{code}, $start, $end - $start;
        my $wanted = $type->{kind} eq 'enum' ? qr/indirect\s+case|case/ : qr/(?:static|mutating|nonmutating|consuming)\s+\w+|func|var|init|subscript|associatedtype|typealias/;
        while ($body =~ /^([ ]*$members(?:$wanted)\b[^\n]*)/mg) {
            my ($text, $offset) = ($1, $start + $-[1]);
            my $indentation = $text =~ /^( +)/ ? length $1 : 0;
            my @around = enclosing($file, $offset + $indentation);
            next unless @around && $around[-1][0] == $start;
            push @public, [line_of($file, $offset), substr($text, $indentation), $offset];
        }
    }
    my %seen;
    return grep { !$seen{$_->[0]}++ } sort { $a->[0] <=> $b->[0] } @public;
}

1;
