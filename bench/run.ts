// `npm run bench -- [rows …] [--samples N]`: measures each row beside its floor; `server` selects all rows
// with that prefix. With enough samples, the results are written to docs/performance.md.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser } from '../tests/browser/fixtures/chromium.ts'
import { bytes } from './bytes.ts'
import {
  downloadByLists,
  replay500,
  replay500Batches,
  replaySlowLine,
  writeOnePlan,
} from './engine.ts'
import { firstDownload } from './first-download.ts'
import { firstStart } from './first-start.ts'
import { back, filtering, memory, palette, scrolling } from './large-lists.ts'
import { measure, type Result, type Place, type Scenario } from './measure.ts'
import { noisyNeighbour } from './server/noisy-neighbour.ts'
import { offlineFirstPress, offlineStart, offlineStart20k, offlineUsable } from './offline-start.ts'
import { firstStartMemory, settledMemory } from './server/process-memory.ts'
import { saveLatency } from './save-latency.ts'
import { serverReplay } from './server/batches.ts'
import { serverDownload } from './server/downloads.ts'
import { serverMemory, serverOn, serverProcesses } from './server/calls.ts'
import { idleDevice, manyDevices, telling } from './server/telling.ts'

const ROWS: Record<string, (place: Place) => Promise<Scenario>> = {
  'offline-start': offlineStart,
  'offline-start-20k': offlineStart20k,
  'offline-usable': offlineUsable,
  'offline-first-press': offlineFirstPress,
  'saved-on-this-device': saveLatency,
  'write-one-plan': writeOnePlan,
  'replay-500': replay500,
  'replay-500-batches': replay500Batches,
  'replay-40-slow-line': replaySlowLine,
  'first-download-by-lists': downloadByLists,
  'first-download-2k': firstDownload(2_000),
  'first-download-20k': firstDownload(20_000),
  'palette-key': palette,
  'filter-key': filtering,
  scrolling,
  'filter-key-react': (place) => filtering(place, 'react-list'),
  'palette-key-react': (place) => palette(place, 'react-list'),
  'scrolling-react': (place) => scrolling(place, 'react-list'),
  'back-to-list': back,
  'memory-20k': memory,
  'server-embedded-10k': serverOn('embedded', 'few'),
  'server-embedded-100k': serverOn('embedded', 'many'),
  'server-postgres-10k': serverOn('postgres', 'few'),
  'server-postgres-100k': serverOn('postgres', 'many'),
  'server-processes': serverProcesses,
  'server-replay': serverReplay,
  'server-download': serverDownload,
  telling,
  'idle-device': idleDevice,
  'many-devices': manyDevices,
  'noisy-neighbour-embedded': noisyNeighbour('embedded'),
  'noisy-neighbour-postgres': noisyNeighbour('postgres'),
  'server-memory': serverMemory,
  'first-start': firstStart,
  'first-start-memory': firstStartMemory,
  'settled-memory': settledMemory,
  bytes,
}
const DOCUMENT = join(import.meta.dirname, '../docs/performance.md')
const LEAST = 15

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { samples: { type: 'string', default: String(LEAST) } },
})
const samples = Number(values.samples)
const named = (part: string) =>
  Object.keys(ROWS).filter((name) => name === part || name.startsWith(`${part}-`))
const chosen = positionals.length > 0 ? positionals.flatMap(named) : Object.keys(ROWS)
const unknown = positionals.filter((part) => named(part).length === 0)
if (unknown.length > 0 || !(samples >= 1)) {
  console.error(`Rows are: ${Object.keys(ROWS).join(', ')}. --samples is a number from 1.`)
  process.exit(1)
}

const figure = (value: number, unit: string) =>
  `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ${unit}`

function line({ name, unit, ours, floor, ratio, spread, goal }: Result): string {
  const met = goal.at === 'most' ? ratio <= goal.ratio : ratio >= goal.ratio
  const aim = `${goal.at === 'most' ? '≤' : '≥'} ${Number(goal.ratio.toFixed(2))}`
  const interval = spread.map((end) => end.toFixed(2)).join(' – ')
  const cells = [figure(ours, unit), figure(floor, unit), ratio.toFixed(2), interval, aim]
  const load = loadavg()[0]?.toFixed(1)
  return `| ${[name, ...cells, met ? 'met' : '**missed**', load].join(' | ')} |`
}

const machine = () => {
  const [cpu, ...more] = cpus()
  const browser = execFileSync(findBrowser(), ['--version'], { encoding: 'utf8' }).trim()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  return `${cpu?.model ?? 'unknown'} (${more.length + 1} cores, ${memory}), Node ${process.versions.node}, ${browser}`
}

const folder = await mkdtemp(join(tmpdir(), 'cairn-bench-'))
const lines = new Map<string, string>()
try {
  for (const name of chosen) {
    await using ends = new AsyncDisposableStack()
    const scenario = await ROWS[name]?.({ folder, ends })
    const measured = scenario ? await measure(scenario, samples) : []
    for (const result of measured) {
      lines.set(result.name, line(result))
      console.log(line(result))
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

const before = await readFile(DOCUMENT, 'utf8')
const measured = /(?<=<!-- measured -->\n)[\s\S]*(?=<!-- \/measured -->)/
const table = [
  ...(measured.exec(before)?.[0].matchAll(/^\| ([^|]+) \| .*\b(?:met|missed)\b.*$/gm) ?? []),
]
for (const [line, name = ''] of table) if (!lines.has(name)) lines.set(name, line)
const report = [
  `${machine()}; ${new Date().toISOString().slice(0, 10)}; \`npm run bench\`.`,
  '',
  '| row | ours | floor | ratio | 95 % of the ratio | goal | | load |',
  '|---|---|---|---|---|---|---|---|',
  ...[...lines.values()].toSorted(),
].join('\n')
console.log(`\n${report}`)
if (samples >= LEAST)
  await writeFile(
    DOCUMENT,
    before.replace(measured, () => `${report}\n`),
  )
