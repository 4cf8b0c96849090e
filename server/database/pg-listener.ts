// The one connection of a process that hears what all processes tell after a commit.
import { Client, type ClientConfig } from 'pg'
import { errorFields, log } from '../log.ts'

/** What is told: the id of an organisation that moved on. */
export const CHANNEL = 'cairn_moves'

type Listener = (organisation_id: string | undefined) => void

export interface PgListener {
  listen(listener: Listener): void
  close(): Promise<void>
}

/** Between two attempts to listen again. Milliseconds. */
const RECONNECT_DELAY_MS = 1_000

/** Listens, and listens again when the connection breaks; what was told meanwhile may be anything. */
export async function createListener(config: ClientConfig): Promise<PgListener> {
  let notify: Listener = () => undefined
  let isClosed = false
  let reconnectTimer: NodeJS.Timeout | undefined

  async function connect(): Promise<Client> {
    const client = new Client(config)
    client.on('notification', ({ payload }) => notify(payload))
    client.on('error', (error) => log('error', 'connection lost', errorFields(error)))
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    client.once('end', () => {
      if (!isClosed) scheduleReconnect()
    })
    return client
  }

  function scheduleReconnect(): void {
    reconnectTimer = setTimeout(() => {
      connect().then(
        (client) => {
          current = client
          if (isClosed) void client.end()
          else notify(undefined)
        },
        (error: unknown) => {
          log('error', 'cannot listen', errorFields(error))
          if (!isClosed) scheduleReconnect()
        },
      )
    }, RECONNECT_DELAY_MS).unref()
  }

  let current = await connect()
  return {
    listen(listener) {
      notify = listener
    },
    async close() {
      isClosed = true
      clearTimeout(reconnectTimer)
      await current.end()
    },
  }
}
