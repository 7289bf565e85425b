set -g limit 10

function flush
    set total 1
    echo $total
end
