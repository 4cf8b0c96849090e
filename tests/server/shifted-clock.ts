// Loaded before a server (`node --import`): moves its clock by CLOCK_OFFSET_MS, so that sessions and links
// of a stored data folder do not expire while the folder gets older.
const offset = Number(process.env['CLOCK_OFFSET_MS'] ?? 0)
const DeviceDate = Date

globalThis.Date = new Proxy(DeviceDate, {
  construct: (target, values: unknown[], newTarget) =>
    Reflect.construct(
      target,
      values.length === 0 ? [DeviceDate.now() + offset] : values,
      newTarget,
    ) as Date,
  get: (target, name, receiver) =>
    name === 'now'
      ? () => DeviceDate.now() + offset
      : (Reflect.get(target, name, receiver) as unknown),
})
