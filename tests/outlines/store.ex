defmodule Shop.Store do
  @moduledoc "Keeps rows."
  use GenServer
  alias Shop.Row

  @limit 10

  defstruct [:path, :rows]

  @doc "Writes all."
  @spec flush(t, boolean) :: integer
  def flush(store, deep \\ false) do
    total = 1
    total
  end

  def size(%{rows: rows}) when is_list(rows), do: length(rows)

  defp helper do
    1
  end
end

defmodule Shop.StoreTest do
  describe "flush/2" do
    test "writes", %{store: store} do
      assert store
    end
  end
end
