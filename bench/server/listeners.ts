// A process of its own with many devices that listen to events and do nothing else: in the process that posts, they
// would be measured with the post.
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'

/** To this process: open streams, or note when each of them gets its next event. */
export type ToListeners =
  | { open: { url: string; count: number; members: { organisation: string; token: string }[] } }
  | { watch: { organisation: string } }
/** From this process: `arrivedAt` has the milliseconds since 1970 of each stream that the organisation has. */
export type FromListeners = 'opened' | 'watching' | { arrivedAt: number[]; event: string }

const AT_ONCE = 50
const agent = new Agent({ maxSockets: Infinity })
/** The streams that have not got the next event yet, and when the others got it. */
let waiting = new Set<number>()
let arrivedAt: number[] = []
const organisations: string[] = []

const answer = (message: FromListeners) => process.send?.(message)

function arrived(stream: number, event: string): void {
  if (!waiting.delete(stream)) return
  arrivedAt.push(performance.timeOrigin + performance.now())
  if (waiting.size === 0) answer({ arrivedAt, event })
}

async function listen(url: string, organisation: string, token: string): Promise<void> {
  const stream = organisations.push(organisation) - 1
  const outgoing = request(`${url}/api/v1/events`, {
    agent,
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${token}`,
      'X-organisation': organisation,
      // The server limits what one network asks for.
      'X-Forwarded-For': `10.${stream >> 8}.${stream & 255}.7`,
    },
  })
  outgoing.end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  if (incoming.statusCode !== 200) throw new Error(`A stream got ${incoming.statusCode}.`)
  incoming.setEncoding('utf8').on('data', (part: string) => {
    if (part.includes('event: ')) arrived(stream, part)
  })
}

process.on('message', (message: ToListeners) => {
  if ('watch' in message) {
    const { organisation } = message.watch
    arrivedAt = []
    waiting = new Set(
      organisations.flatMap((one, stream) => (one === organisation ? [stream] : [])),
    )
    answer('watching')
    return
  }
  const { url, count, members } = message.open
  let next = 0
  const hand = async () => {
    while (next < count) {
      const member = members[next % members.length]
      next += 1
      if (member) await listen(url, member.organisation, member.token)
    }
  }
  void Promise.all(Array.from({ length: AT_ONCE }, hand)).then(() => answer('opened'))
})
process.once('disconnect', () => process.exit())
