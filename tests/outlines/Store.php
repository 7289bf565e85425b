<?php

namespace Shop;

use Shop\Disk\Reader;

const LIMIT = 10;

#[Entity]
final class Store extends Base
{
    use Loggable;

    private const MODE = 1;
    public array $rows = [];

    public function __construct(private string $path)
    {
    }

    public function flush(bool $deep = false): int
    {
        $total = 1;
        return $total;
    }
}

interface Sink
{
    public function write(string $text): void;
}

function open(string $path): Store
{
    return new Store($path);
}

return [
    'name' => 'shop',
    'mail' => [
        'host' => 'localhost',
    ],
];
