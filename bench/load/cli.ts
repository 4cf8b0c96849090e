// `npm run load -- --devices N --organisations M --minutes K [--plans N] [--memory MB] [--embedded]`: the load of many
// devices on a server of its own on this machine. Exits with 1 when a confirmed update is lost or doubled, and when a
// process of the server was killed because there was no memory.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { readBackupStatus } from '../../server/ops/backups/status.ts'
import { limitMemory } from '../../tests/server/fixtures/memory-limit.ts'
import { runLoad } from './load.ts'
import { parseLoadArguments, type LoadArguments } from './statistics.ts'

let given: LoadArguments
try {
  given = parseLoadArguments(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(2)
}
const { memoryMb } = given
const limit = memoryMb === undefined ? undefined : limitMemory(memoryMb * 2 ** 20)
if (memoryMb !== undefined && !limit) {
  console.error('--memory needs the right to make a control group: run it as root.')
  process.exit(2)
}
// On a disk: files in memory would count as memory of the server.
const folder = await mkdtemp(join('/var/tmp', 'cairn-load-'))
try {
  const { report, wrong } = await runLoad(given, folder, limit)
  console.log(report)
  if (limit) {
    const { backups } = await readBackupStatus(join(folder, 'data/backups'))
    const proven = backups.filter((one) => one.proven).length
    console.log(
      `Limit of ${memoryMb} MB: ${limit.countKilled()} processes killed, at most ${limit.peakMb().toFixed(0)} MB, with files that the system keeps in memory. ${proven} of ${backups.length} backups proven.`,
    )
  }
  console.log(`Load average ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`)
  if (wrong.length > 0 || (limit?.countKilled() ?? 0) > 0) process.exitCode = 1
} finally {
  await limit?.remove()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
