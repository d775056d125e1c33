func.func @f(%arg0: !async.value<!gpu.async.token>) -> !async.value<!gpu.async.token> {
  return %arg0 : !async.value<!gpu.async.token>
}
