module Shop

using JSON

const LIMIT = 10

struct Store
    path::String
    rows
end

function flush(store::Store, deep)
    total = 1
    return total
end

half(x) = x / 2

@testset "store" begin
    @test half(2) == 1
end

end
