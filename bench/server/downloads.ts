// The first download of a large organisation: page by page as the first device after a write, beside the same
// statements, JSON and compression in a bare handler; and in one answer as a later one, beside sending the same bytes
// in one answer.
import { Agent } from 'node:http'
import { v7 as uuidv7 } from 'uuid'
import type { Place, Scenario, Side } from '../measure.ts'
import { startBare, startOurs, timed } from './calls.ts'
import { twoSides } from './sides.ts'

/** A server runs for days: both sides have sent so many streams before the first sample. */
const WARM_UP = 100
/** Streams in a sample: each takes milliseconds. */
const STREAMS = 10
/** 125,000 records. */
const LARGE = { plans: 20_000, accounts: 5_000, updates: 5, people: 60 }

export async function serverDownload(place: Place): Promise<Scenario> {
  const sides = await twoSides(place, 'embedded', 1, [LARGE])
  const [large] = sides.others
  if (!large) throw new Error('The large organisation is missing.')
  const ours = await startOurs(place, sides.env.ours)
  const urls: Record<Side, string> = { ours: ours.url, floor: await startBare(place, sides) }
  let turn = 0
  const headersOf = () => ({
    Accept: 'application/json',
    'Accept-Encoding': 'gzip',
    'X-organisation': large.organisation.id,
    Authorization: `Bearer ${large.people[(turn += 1) % large.people.length]?.access_token}`,
  })
  /** The pages of a download: both databases have the same versions. */
  const cursors: number[] = []
  for (let page = { version: 0, more: true }; page.more;) {
    cursors.push(page.version)
    const url = `${ours.url}/api/v1/changes?since=${page.version}`
    page = (await (await fetch(url, { headers: headersOf() })).json()) as typeof page
  }
  const agent = new Agent({ keepAlive: true })
  place.ends.defer(async () => agent.destroy())
  async function download(url: string): Promise<number> {
    let taken = 0
    for (const since of cursors)
      taken += await timed(`${url}?since=${since}`, { agent, headers: headersOf() })
    return taken
  }
  /** Milliseconds until all pages have come in one answer, mean of `count`. */
  async function stream(side: Side, count: number): Promise<number> {
    const url = `${urls[side]}${side === 'ours' ? '/api/v1/changes' : '/kept'}?since=0`
    let taken = 0
    for (let sent = 0; sent < count; sent += 1) {
      const headers = { ...headersOf(), Accept: 'text/event-stream' }
      taken += await timed(url, { agent, headers })
    }
    return taken / count
  }
  for (const side of ['ours', 'floor'] as const) await stream(side, WARM_UP)
  /** Pages that are kept are those of the newest version. */
  const write = () =>
    timed(
      `${ours.url}/api/v1/success-plans/${large.plans[0]}/updates`,
      {
        agent,
        headers: {
          ...headersOf(),
          'Content-Type': 'application/json',
          'Idempotency-Key': uuidv7(),
        },
      },
      JSON.stringify({ id: uuidv7(), body: 'All sites are live.' }),
    )
  return {
    measures: {
      'server-download, cold': { unit: 'ms', goal: { at: 'most', ratio: 1.5 } },
      'server-download, warm': { unit: 'ms', goal: { at: 'most', ratio: 1.3 } },
    },
    async sample(side) {
      if (side === 'ours') await write()
      const cold = await download(`${urls[side]}/api/v1/changes`)
      // The write has moved a plan to the last page, so the pages of one answer are others than those above.
      await stream(side, 1)
      const warm = await stream(side, STREAMS)
      return { 'server-download, cold': cold, 'server-download, warm': warm }
    },
  }
}
