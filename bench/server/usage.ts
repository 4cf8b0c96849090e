// What a process and its descendants use: a server with its database.
import { readFile } from 'node:fs/promises'

/** Mappings that are named like files, and are memory. */
const SHARED_MEMORY = /^\/(?:dev\/(?:zero|shm\/)|memfd:|SYSV)/
/** Of the unit in which Linux counts processor time. */
const TICKS_PER_SECOND = 100

/** Processor time in seconds, also of descendants that have ended; memory in MB, where shared pages count once. */
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

async function processesFrom(pid: number): Promise<number[]> {
  const path = `/proc/${pid}/task/${pid}/children`
  const children = (await readFile(path, 'utf8').catch(() => '')).split(' ').filter(Boolean)
  return [pid, ...(await Promise.all(children.map((one) => processesFrom(Number(one))))).flat()]
}

/**
 * Memory in MB of a process and its descendants as if nothing else ran. Other processes share the files of
 * programs with them: of each file all that these have loaded counts, at most once its size.
 */
export async function memoryAlone(pid: number): Promise<number> {
  let kilobytes = 0
  const files = new Map<string, { size: number; loaded: number }>()
  for (const one of await processesFrom(pid)) {
    const maps = await readFile(`/proc/${one}/smaps`, 'utf8').catch(() => '')
    // https://man7.org/linux/man-pages/man5/proc_pid_smaps.5.html
    for (const mapping of maps.split(/^(?=[\da-f]+-[\da-f]+ )/m)) {
      const of = (field: string) =>
        Number(new RegExp(`^${field}: +(\\d+)`, 'm').exec(mapping)?.[1] ?? 0)
      const [, offset = '', file = ''] = /^\S+ \S+ (\S+ \S+ \d+) +(.*)/.exec(mapping) ?? []
      if (!file.startsWith('/') || SHARED_MEMORY.test(file)) {
        kilobytes += of('Pss')
        continue
      }
      // What a process has changed is its own.
      kilobytes += of('Anonymous')
      const known = files.get(offset) ?? { size: of('Size'), loaded: 0 }
      known.loaded += of('Rss') - of('Anonymous')
      files.set(offset, known)
    }
  }
  for (const { size, loaded } of files.values()) kilobytes += Math.min(size, loaded)
  return kilobytes / 1_024
}
