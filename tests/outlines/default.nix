{ pkgs, ... }:
{
  name = "shop";
  packages = {
    disk = pkgs.disk;
  };
}
