// A device is not told of a version that is read while its access is looked up, until the next write.
import { expect, onTestFinished, test } from 'vitest'
import { membersOf, versionsOf } from '../../../server/database/change-bus.ts'
import { createEventStreams, STREAM_LIMITS } from '../../../server/http/sync/event-streams.ts'

const ORGANISATION = 'o'

/** Streams of one organisation, whose looks at access end when the test says so. */
function openWorld() {
  const listeners = new Map<string, (version?: number) => void>()
  const looks: PromiseWithResolvers<void>[] = []
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  let version = 1
  const streams = createEventStreams({
    changes: {
      subscribe(key, listener) {
        listeners.set(key, listener)
        return () => undefined
      },
    },
    readEvent: () => Promise.resolve({ version }),
    readVersions: () => Promise.resolve(new Map([[ORGANISATION, version]])),
    async findAllowed(owners) {
      const look = Promise.withResolvers<void>()
      looks.push(look)
      await look.promise
      return new Set(owners)
    },
    limits: STREAM_LIMITS,
    closing: closing.signal,
    heartbeatMs: 600_000,
  })
  return {
    /** Opens a stream at the first version; what it has received. */
    listen(user_id: string): string[] {
      const owner = { user_id, organisation_id: ORGANISATION, family_id: user_id }
      const received: string[] = []
      const decoder = new TextDecoder()
      void streams.open(owner, 1)?.pipeTo(
        new WritableStream({
          write: (bytes) => void received.push(...decoder.decode(bytes).split('\n\n').slice(0, -1)),
        }),
      )
      return received
    },
    write() {
      version += 1
      listeners.get(versionsOf(ORGANISATION))?.(version)
    },
    changeMembers: () => listeners.get(membersOf(ORGANISATION))?.(),
    /** Waits for that look, counted from 1. */
    look: (count: number) => expect.poll(() => looks.length).toBe(count),
    /** Ends the looks that have begun. */
    allow: () => looks.forEach((look) => look.resolve()),
  }
}

const eventOf = (version: number) => `event: version\ndata: ${JSON.stringify({ version })}`

test('a stream that joins during the look at another one gets the version read after it', async () => {
  const world = openWorld()
  const first = world.listen('mia')
  await world.look(1)
  world.write()
  const second = world.listen('max')
  world.allow()
  await world.look(2)
  expect(first).toEqual([eventOf(1), eventOf(2)])
  expect(second).toEqual([eventOf(1)])
  world.allow()
  await expect.poll(() => second).toEqual([eventOf(1), eventOf(2)])
  expect(first).toEqual([eventOf(1), eventOf(2)])
})

test('a stream gets the version though members change twice during the look at its access', async () => {
  const world = openWorld()
  const received = world.listen('mia')
  await world.look(1)
  world.allow()
  world.changeMembers()
  await world.look(2)
  world.write()
  world.changeMembers()
  world.allow()
  await world.look(3)
  expect(received).toEqual([eventOf(1)])
  world.allow()
  await expect.poll(() => received).toEqual([eventOf(1), eventOf(2)])
})
