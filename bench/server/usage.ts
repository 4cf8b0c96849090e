// What a process and its descendants use: a server with its database.
import { readFile } from 'node:fs/promises'

/** Of the unit in which Linux counts processor time. */
const TICKS_PER_SECOND = 100

/** Processor time in seconds, also of descendants that have ended, and memory in MB: what processes share counts once. */
export async function usageOf(pid: number): Promise<{ seconds: number; megabytes: number }> {
  const readProcess = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  // The name of the program, in brackets, may have spaces. User and system time are the fields 14 and 15, and those of
  // children that have ended 16 and 17.
  const fields = (await readProcess('stat')).replace(/^.*\) /s, '').split(' ')
  const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0)
  const kilobytes = /^Pss:\s+(\d+)/m.exec(await readProcess('smaps_rollup'))?.[1]
  const children = (await readProcess(`task/${pid}/children`)).split(' ').filter(Boolean)
  const below = await Promise.all(children.map((child) => usageOf(Number(child))))
  const sum = (key: 'seconds' | 'megabytes') => below.reduce((total, one) => total + one[key], 0)
  return {
    seconds: ticks / TICKS_PER_SECOND + sum('seconds'),
    megabytes: Number(kilobytes ?? 0) / 1_024 + sum('megabytes'),
  }
}
