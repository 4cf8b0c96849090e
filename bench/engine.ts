// The engine in a real browser: writes to the device, and draining the outbox.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { OWN_CAPABILITIES } from '../contract/capabilities.ts'
import { PlainApi } from '../tests/plain-server/plain-api.ts'
import { waitUntil } from '../tests/browser/fixtures/wait-until.ts'
import { Browser } from './browser.ts'
import type { Place, Scenario } from './measure.ts'
import { startLatencyServer } from './latency-server.ts'

/** Writes in one sample: a single write is shorter than the resolution of the browser's clock. */
const WRITES = 20
const ROUND_TRIP = 40
const OPERATIONS = 500
const LANES = 25
const AT_ONCE = 6

async function openDevice(
  folder: string,
  ends: AsyncDisposableStack,
  plain?: PlainApi,
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
  const capabilities = plain ? '' : OWN_CAPABILITIES
  const config = { apiBaseUrl: '', clientId: 'app', clientSecret: 'not a secret', capabilities }
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  const peer = await startLatencyServer(folder, ROUND_TRIP, plain)
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

export async function replay500({ folder, ends }: Place): Promise<Scenario> {
  const browser = await openDevice(join(folder, 'replay'), ends)
  return {
    measures: { 'replay-500': { unit: 'ms', goal: { at: 'most', ratio: 1.15 } } },
    async sample(side) {
      const taken = await browser.run(
        (side, lanes, count, atOnce) =>
          side === 'ours'
            ? window.device?.replay(lanes, count)
            : window.device?.fetchBarely(lanes, count, atOnce),
        side,
        LANES,
        OPERATIONS,
        AT_ONCE,
      )
      return { 'replay-500': taken ?? NaN }
    },
  }
}

/** In front of a server that has only the specification: pages of lists, read and stored. */
export async function downloadByLists({ folder, ends }: Place): Promise<Scenario> {
  const options = { ids: 'integers', pageSize: 500, perPage: 'honoured' } as const
  const plain = new PlainApi(options, { accounts: 200, plans: 2_000 })
  const browser = await openDevice(join(folder, 'lists'), ends, plain)
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
