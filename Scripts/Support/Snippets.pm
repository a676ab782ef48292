# Reads the programs of Tests/SnippetTests that the documentation quotes. A quoted part is between the comments
#     // snippet: NAME
#     // end
# In Markdown it is the Swift block after the line <!-- snippet: NAME -->.
package Snippets;
use strict;
use warnings;
use SwiftSources;

# Returns the quoted parts by name, without their indentation.
sub all {
    my %snippets;
    for my $path (SwiftSources::files('Tests/SnippetTests', qr/\.swift$/)) {
        my $text = slurp($path);
        while ($text =~ m{^( *)// snippet: ([\w-]+)\n(.*?)^ *// end\n}msg) {
            my ($indentation, $name, $body) = ($1, $2, $3);
            $body =~ s/^$indentation//mg;
            $snippets{$name} = $body;
        }
    }
    return \%snippets;
}

# Returns the pages that may quote: README, Documentation, and the modules' catalogues.
sub pages { return ('README.md', map { SwiftSources::files($_, qr/\.md$/) } 'Documentation', 'Sources') }

# Returns the text of a page with updated quotations, and its other Swift blocks, as [line, text].
sub requote {
    my ($text, $snippets) = @_;
    my @wrong;
    my $quoted = '';
    pos($text) = 0;
    while ($text =~ m{\G(.*?)(?:^<!-- snippet: ([\w-]+) -->\n)?^```swift\n(.*?)^```\n}msgc) {
        my ($before, $name, $code) = ($1, $2, $3);
        my $line = 1 + (() = substr($text, 0, $-[3]) =~ /\n/g);
        $quoted .= $before;
        if (!defined $name) {
            push @wrong, [$line, 'Swift code that is not the quote of a snippet'];
        } elsif (!defined $snippets->{$name}) {
            push @wrong, [$line, "no snippet is called $name"];
        } else {
            push @wrong, [$line, "not what the snippet $name says; Scripts/Make/quoted-snippets mends it"] if $code ne $snippets->{$name};
            $code = $snippets->{$name};
        }
        $quoted .= (defined $name ? "<!-- snippet: $name -->\n" : '') . "```swift\n$code```\n";
    }
    return ($quoted . substr($text, pos($text) // 0), @wrong);
}

sub slurp { my ($path) = @_; open my $in, '<', $path or die "$path: $!\n"; local $/; return <$in> }

1;
