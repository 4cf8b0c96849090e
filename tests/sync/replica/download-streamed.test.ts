// A first download in one answer that breaks off, comes faster than it is stored, or is no stream at all.
import { expect, onTestFinished, test } from 'vitest'
import { OWN_CAPABILITIES } from '../../../contract/capabilities.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type {
  CancelSignal,
  ChangedIds,
  Network,
  NetworkRequest,
  Ports,
} from '../../../src/sync/core/ports.ts'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

const CHANGES = /^\/api\/v1\/changes\?since=(\d+)/
const POSTED = 14
const NORTH = { user_id: 'ann', organisation_id: 'north' }

interface Page {
  version: number
  more: boolean
}
/** One page as text, asked for as a device would. */
type ReadPage = (since: number) => Promise<string>

/** A device in front of a server that streams pages; `streamPages` is what a stream does. */
class StreamingFixture extends EngineFixture {
  /** The versions that streams began after. */
  readonly streamed: number[] = []
  signal: CancelSignal | undefined
  streamPages: (
    read: ReadPage,
    since: number,
    take: (data: string) => Promise<void>,
  ) => Promise<void> = streamAll

  override ports(): Ports {
    const ports = super.ports()
    const { network } = ports
    const streamed: Network['stream'] = async (request, onEvent, signal) => {
      const since = CHANGES.exec(request.url)?.[1]
      if (since === undefined) return network.stream(request, onEvent, signal)
      this.streamed.push(Number(since))
      this.signal = signal
      const read: ReadPage = async (at) =>
        this.server.handle({ ...request, url: `/api/v1/changes?since=${at}` }, Date.now()).text
      await this.streamPages(read, Number(since), async (data) => onEvent({ type: 'page', data }))
      return { status: 200, header: () => 'text/event-stream', text: '' }
    }
    return { ...ports, network: { ...network, stream: streamed } }
  }
}

/** All pages, each when the one before was taken. */
async function streamAll(read: ReadPage, since: number, take: (data: string) => Promise<void>) {
  for (let page: Page = { version: since, more: true }; page.more;) {
    const data = await read(page.version)
    page = JSON.parse(data) as Page
    await take(data)
  }
}

const announce = (answer: ReturnType<StreamingFixture['network']>) => ({
  ...answer,
  headers: { ...answer.headers, 'cairn-capabilities': OWN_CAPABILITIES },
})

/** An organisation of many pages, and a device that has nothing of it yet. */
async function largeOrganisation(): Promise<StreamingFixture> {
  const stage = new StreamingFixture()
  onTestFinished(() => stage.close())
  const bob = await stage.signedInTab('bob')
  for (let count = 1; count <= POSTED; count += 1) await postUpdate(bob, `Posted ${count}.`)
  await waitFor(() => expect(stage.storedTexts).toHaveLength(POSTED))
  await waitFor(async () => expect(await bob.outbox.all()).toEqual([]))
  await bob.signOut('keep')
  stage.closeTabs()
  Object.assign(stage.server.settings, { page: 3, announces_pages: true })
  stage.network = (_request, answer) => announce(answer())
  stage.requests.length = 0
  return stage
}

const sinces = (requests: readonly NetworkRequest[]) =>
  requests.flatMap(({ url }) => CHANGES.exec(url)?.[1] ?? []).map(Number)
const cursorOf = (tab: Engine) => tab.replicaOf(NORTH).cursor()

async function whole(stage: StreamingFixture): Promise<void> {
  const tab = await stage.signedInTab('ann')
  await waitFor(async () => expect((await cursorOf(tab)).whole).toBe(true))
  expect(await tab.replicaOf(NORTH).partition('success_plan_updates', 'north-1')).toHaveLength(
    POSTED,
  )
}

test('the pages after the first come in one answer', async () => {
  const stage = await largeOrganisation()
  await whole(stage)
  expect(sinces(stage.requests).filter((since) => since === 0)).toHaveLength(1)
  expect(stage.streamed).toHaveLength(1)
  // Later pulls ask for what is newer.
  expect(
    sinces(stage.requests)
      .slice(1)
      .every((since) => since > (stage.streamed[0] ?? 0)),
  ).toBe(true)
})

test('a server without the capability is asked for each page', async () => {
  const stage = await largeOrganisation()
  stage.network = (_request, answer) => answer()
  await whole(stage)
  expect(stage.streamed).toEqual([])
})

test('what breaks off goes on in another answer after the last page that has arrived', async () => {
  const stage = await largeOrganisation()
  const ends: number[] = []
  stage.streamPages = async (read, since, take) => {
    const data = await read(since)
    ends.push((JSON.parse(data) as Page).version)
    await take(data)
  }
  await whole(stage)
  expect(stage.streamed.length).toBeGreaterThan(2)
  expect(stage.streamed.slice(1)).toEqual(ends.slice(0, -1))
})

test('a stream that brings nothing costs one request', async () => {
  const stage = await largeOrganisation()
  stage.streamPages = async () => {
    throw new Error('There is no network.')
  }
  await whole(stage)
  expect(sinces(stage.requests)[1]).toBe(stage.streamed[0])
})

test('a page in place of the stream is stored like one', async () => {
  const stage = await largeOrganisation()
  const ports = stage.ports.bind(stage)
  stage.ports = () => {
    const { network, ...others } = ports()
    const stream: Network['stream'] = (request, onEvent, signal) =>
      CHANGES.test(request.url)
        ? network.exchange(request)
        : network.stream(request, onEvent, signal)
    return { ...others, network: { ...network, stream } }
  }
  await whole(stage)
  const asked = sinces(stage.requests)
  // Each page once.
  expect(new Set(asked).size).toBe(asked.length)
})

/** Downloads while the first page is not stored before those behind it wait; resolves to what each write changed. */
async function downloadWaiting(stage: StreamingFixture, change = (page: string) => page) {
  const { promise: stored, resolve: store } = Promise.withResolvers<void>()
  const writes: ChangedIds[] = []
  let taken = 0
  stage.streamPages = (read, since, take) =>
    streamAll(read, since, async (data) => {
      await take(change(data))
      taken += 1
    })
  stage.onChanged = async (_scope, changed) => {
    writes.push(changed)
    await stored
  }
  const tab = await stage.signedInTab('ann')
  await waitFor(() => expect(taken).toBe(3))
  await new Promise((resolve) => setImmediate(resolve))
  expect(taken).toBe(3)
  store()
  await waitFor(async () => expect((await cursorOf(tab)).whole).toBe(true))
  return { tab, writes, taken: () => taken }
}

test('no more pages are taken than wait to be stored', async () => {
  const { taken } = await downloadWaiting(await largeOrganisation())
  expect(taken()).toBeGreaterThan(4)
})

test('pages that wait are stored as one', async () => {
  const stage = await largeOrganisation()
  const { tab, writes } = await downloadWaiting(stage)
  // Each page has three records.
  expect(Object.values(writes[1] ?? {}).flatMap(({ ids }) => ids)).toHaveLength(4 * 3)
  expect(await tab.replicaOf(NORTH).partition('success_plan_updates', 'north-1')).toHaveLength(
    POSTED,
  )
})

test('a page with deletions is stored on its own', async () => {
  const stage = await largeOrganisation()
  let pages = 0
  const { writes } = await downloadWaiting(stage, (text) => {
    pages += 1
    if (pages !== 2) return text
    const page = JSON.parse(text) as { data: object }
    return JSON.stringify({
      ...page,
      data: { ...page.data, deleted: [{ type: 'actions', id: 'a' }] },
    })
  })
  const sizes = writes.map((write) => Object.values(write).flatMap(({ ids }) => ids).length)
  expect(sizes.slice(1, 3)).toEqual([3, 4])
})

test('a download that ends early cancels its stream', async () => {
  const stage = await largeOrganisation()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  stage.streamPages = async (read, since, take) => {
    const data = await read(since)
    // A page that cannot be read ends the pull.
    await take('{}')
    stage.signal?.onCancel(end)
    await ended
    await take(data)
  }
  await stage.signedInTab('ann')
  await ended
  expect(stage.signal?.cancelled).toBe(true)
})
