// `npm run load -- --devices N --organisations M --minutes K [--embedded]`: the load of many devices on a server of
// its own on this machine. Exits with 1 when a confirmed update is lost or doubled.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runLoad } from './load.ts'
import { parseLoadArguments, type LoadArguments } from './statistics.ts'

let given: LoadArguments
try {
  given = parseLoadArguments(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(2)
}
const folder = await mkdtemp(join(tmpdir(), 'cairn-load-'))
try {
  const { report, wrong } = await runLoad(given, folder)
  console.log(report)
  console.log(`Load average ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`)
  if (wrong.length > 0) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
