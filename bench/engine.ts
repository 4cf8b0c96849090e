// The engine in a real browser: writes to the device, and draining the outbox.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { OWN_CAPABILITIES } from '../contract/capabilities.ts'
import { PlainApi } from '../tests/plain-server/plain-api.ts'
import { waitUntil } from '../tests/browser/fixtures/wait-until.ts'
import { Browser } from './browser.ts'
import type { Place, Scenario, Side } from './measure.ts'
import { startLatencyServer, type Line } from './latency-server.ts'

/** Writes in one sample: a single write is shorter than the resolution of the browser's clock. */
const WRITES = 20
const NEAR: Line = { roundTrip: 40 }
/** 50 kbit/s. */
const SLOW: Line = { roundTrip: 600, bytesPerSecond: 6_250 }
const WITHOUT_BATCHES = OWN_CAPABILITIES.split(', ')
  .filter((name) => name !== 'batch')
  .join()
const AT_ONCE = 6

/** What the device talks to. */
interface Peer {
  line?: Line
  capabilities?: string
  /** Another API in the place of ours. */
  plain?: PlainApi
}

async function openDevice(
  folder: string,
  ends: AsyncDisposableStack,
  { line = NEAR, capabilities = OWN_CAPABILITIES, plain }: Peer = {},
): Promise<Browser> {
  await mkdir(folder)
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      target: 'esnext',
      rolldownOptions: {
        input: join(import.meta.dirname, 'device-page.ts'),
        output: { entryFileNames: 'device.js' },
      },
    },
  })
  await writeFile(
    join(folder, 'device.html'),
    '<!doctype html><script type="module" src="/device.js"></script>',
  )
  const config = { apiBaseUrl: '', clientId: 'app', clientSecret: 'not a secret', capabilities }
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  const peer = await startLatencyServer(folder, line, plain)
  ends.defer(() => peer.stop())
  const browser = ends.use(await Browser.start(join(folder, 'profile')))
  await browser.goto(`${peer.url}/device.html`)
  await waitUntil('the engine runs', () => browser.run(() => window.device !== undefined))
  return browser
}

export async function writeOnePlan({ folder, ends }: Place): Promise<Scenario> {
  const browser = await openDevice(join(folder, 'write'), ends)
  await browser.run(() => window.device?.fillDevice())
  return {
    measures: { 'write-one-plan': { unit: 'ms', goal: { at: 'most', ratio: 3 } } },
    async sample(side) {
      const taken = await browser.run(
        (side, times) => window.device?.writes(side, times),
        side,
        WRITES,
      )
      return { 'write-one-plan': taken ?? NaN }
    },
  }
}

const OPERATIONS = 500
const LANES = 25

/** One after another in each lane, and six lanes side by side. */
export async function replay500({ folder, ends }: Place): Promise<Scenario> {
  const peer = { capabilities: WITHOUT_BATCHES }
  const browser = await openDevice(join(folder, 'replay'), ends, peer)
  return {
    measures: { 'replay-500': { unit: 'ms', goal: { at: 'most', ratio: 1.15 } } },
    sample: async (side) => ({ 'replay-500': await replay(browser, side, LANES, OPERATIONS) }),
  }
}

/** The same beside six lanes by bare `fetch`. */
export async function replay500Batches({ folder, ends }: Place): Promise<Scenario> {
  const browser = await openDevice(join(folder, 'replay-batches'), ends)
  const goal = { at: 'most', ratio: 0.25 } as const
  return {
    measures: { 'replay-500-batches': { unit: 'ms', goal } },
    sample: async (side) => ({
      'replay-500-batches': await replay(browser, side, LANES, OPERATIONS),
    }),
  }
}

/** Forty updates of four plans over a slow line, beside one bare request of the same bytes. */
export async function replaySlowLine({ folder, ends }: Place): Promise<Scenario> {
  const browser = await openDevice(join(folder, 'replay-slow'), ends, { line: SLOW })
  const goal = { at: 'most', ratio: 1.3 } as const
  return {
    measures: { 'replay-40-slow-line': { unit: 'ms', goal } },
    async sample(side) {
      const taken =
        side === 'ours'
          ? await browser.run(() => window.device?.replay(4, 40))
          : await browser.run(() => window.device?.fetchAsBatch(4, 40))
      return { 'replay-40-slow-line': taken ?? NaN }
    },
  }
}

async function replay(browser: Browser, side: Side, lanes: number, count: number) {
  const taken = await browser.run(
    (side, lanes, count, atOnce) =>
      side === 'ours'
        ? window.device?.replay(lanes, count)
        : window.device?.fetchBarely(lanes, count, atOnce),
    side,
    lanes,
    count,
    AT_ONCE,
  )
  return taken ?? NaN
}

/** In front of a server that has only the specification: pages of lists, read and stored. */
export async function downloadByLists({ folder, ends }: Place): Promise<Scenario> {
  const options = { ids: 'integers', pageSize: 500, perPage: 'honoured' } as const
  const plain = new PlainApi(options, { accounts: 200, plans: 2_000 })
  const browser = await openDevice(join(folder, 'lists'), ends, { capabilities: '', plain })
  return {
    measures: { 'first-download-by-lists': { unit: 'ms', goal: { at: 'most', ratio: 3 } } },
    async sample(side) {
      const taken = await browser.run(
        (side) =>
          side === 'ours' ? window.device?.downloadByLists() : window.device?.fetchLists(),
        side,
      )
      return { 'first-download-by-lists': taken ?? NaN }
    },
  }
}
