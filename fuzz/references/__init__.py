"""What drawn programs mean by the words of the contract, told without any rule of `verify`."""
