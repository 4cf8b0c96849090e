// The one connection of a process that hears what all processes tell after a commit.
import { Client, type ClientConfig } from 'pg'
import { errorFields, log } from './log.ts'

/** What is told: the id of an organisation that moved on. */
export const CHANNEL = 'cairn_moves'

type Listener = (organisation_id: string | undefined) => void

export interface Ear {
  listen(listener: Listener): void
  close(): Promise<void>
}

/** Between two attempts to listen again. Milliseconds. */
const PAUSE = 1_000

/** Listens, and listens again when the connection breaks; what was told meanwhile may be anything. */
export async function openEar(config: ClientConfig): Promise<Ear> {
  let tell: Listener = () => undefined
  let isClosed = false
  let again: NodeJS.Timeout | undefined

  async function connect(): Promise<Client> {
    const client = new Client(config)
    client.on('notification', ({ payload }) => tell(payload))
    client.on('error', (error) => log('error', 'connection lost', errorFields(error)))
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    client.once('end', () => {
      if (!isClosed) retry()
    })
    return client
  }

  function retry(): void {
    again = setTimeout(() => {
      connect().then(
        (client) => {
          current = client
          if (isClosed) void client.end()
          else tell(undefined)
        },
        (error: unknown) => {
          log('error', 'cannot listen', errorFields(error))
          if (!isClosed) retry()
        },
      )
    }, PAUSE).unref()
  }

  let current = await connect()
  return {
    listen(listener) {
      tell = listener
    },
    async close() {
      isClosed = true
      clearTimeout(again)
      await current.end()
    },
  }
}
