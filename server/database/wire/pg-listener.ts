// The connection on which a process receives the notifications of all processes (LISTEN/NOTIFY).
import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { errorFields, log } from '../../log.ts'

/**
 * The payload is a key of the change bus. The name and the ids of organisations as payload are shared by running
 * builds: do not change them.
 */
export const CHANNEL = 'cairn_moves'

type Listener = (key: string | undefined) => void

/** Receives the keys that other processes and this one publish. */
export interface PgListener {
  listen(listener: Listener): void
  close(): Promise<void>
}

const RECONNECT_DELAY_MS = 1_000
const END_WITHIN_MS = 1_000

/**
 * Connects, and reconnects when the connection breaks. After a reconnect the listener is called with
 * undefined, because notifications may have been missed. Rejects when the first connection fails.
 */
export async function createListener(config: ClientConfig): Promise<PgListener> {
  let notify: Listener = () => undefined
  let isClosed = false
  let reconnectTimer: NodeJS.Timeout | undefined

  async function connect(): Promise<Client> {
    const client = new Client(config)
    client.on('notification', ({ payload }) => notify(payload))
    client.on('error', (error) => isClosed || log('error', 'connection lost', errorFields(error)))
    await client.connect()
    await client.query(`listen ${CHANNEL}`).catch((error: unknown) => {
      // As on a replica. Each attempt would leave a connection open.
      void client.end()
      throw error
    })
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
      // On a broken path the end is never confirmed.
      await Promise.race([current.end(), pause(END_WITHIN_MS, undefined, { ref: false })])
    },
  }
}
