"""What drawn programs mean by the words of the contract alone, told without any rule of `verify`."""
