// `npm run load -- --devices N --organisations M --minutes K [--plans N] [--memory MB] [--embedded]`: the load of many
// devices on a server of its own on this machine. Exits with 1 when a confirmed update is lost or doubled, and when a
// process of the server was killed for want of memory.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
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
// On a disk: files in memory would count as memory of the server.
const folder = await mkdtemp(join('/var/tmp', 'cairn-load-'))
try {
  const { report, wrong, killed = 0 } = await runLoad(given, folder)
  console.log(report)
  console.log(`Load average ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`)
  if (wrong.length > 0 || killed > 0) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
