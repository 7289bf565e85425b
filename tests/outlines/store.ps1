$Limit = 10

function Open-Store {
    param([string]$Path)
    $total = 1
    return $total
}

class Row {
    [int]$Id
    [string] Show() {
        return "a"
    }
}

Describe "Store" {
    It "opens" {
        1 | Should -Be 1
    }
}
