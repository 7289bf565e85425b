variable "region" {
  default = "eu"
}

resource "aws_instance" "web" {
  ami = "a"

  tags = {
    Name = "web"
  }

  ebs_block_device {
    size = 1
  }
}

locals {
  limit = 10
}
