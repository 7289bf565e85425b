package Store;
use strict;

our $limit = 10;

sub open {
    my ($path) = @_;
    return 1;
}

# Writes all.
sub flush {
    return 2;
}

1;
