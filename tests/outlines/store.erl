-module(store).
-export([flush/1]).

-record(row, {id, name}).
-define(LIMIT, 10).

%% Writes all.
-spec flush(any()) -> ok.
flush([]) ->
    ok;
flush([_ | Rest]) ->
    flush(Rest).

size(Rows) ->
    length(Rows).
