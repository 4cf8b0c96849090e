// The event stream of the model server: announces the organisation's version when it has changed, with the changes
// where they are few.
import type { ModelServer } from '../model-server.ts'
import { errorResponse, type ModelTenant, type ServerAnswer } from '../model-tenant.ts'
import type { SimulatedEnvironment, SimulatedProcess } from '../simulated-environment.ts'
import type { StreamRequest } from '../simulated-network.ts'

/** Streams are closed after that time, as a proxy does. */
const LIFE_MS = 300_000
/** An event has at most so many changes. */
const MAX_CHANGES = 4

/** The event of the present version, with the changes since `previous`, where that is known. */
export function versionEvent(
  organisation_id: string,
  tenant: ModelTenant,
  previous: number | undefined,
): object {
  const { version } = tenant
  if (previous === undefined) return { version }
  const { status, text } = tenant.changes(`?since=${previous}`, MAX_CHANGES)
  const page = JSON.parse(text) as { data: object; more: boolean }
  if (status !== 200 || page.more) return { version }
  return { version, organisation_id, previous, data: page.data }
}

/**
 * Reads the events of an organisation until the stream ends; a lost connection is noticed at the next
 * event or after `request.timeoutMs`.
 */
export function openStream(
  world: SimulatedEnvironment,
  server: ModelServer,
  owner: SimulatedProcess,
  { request, onEvent, signal, isOpen }: StreamRequest,
): Promise<ServerAnswer> {
  const { promise, resolve } = Promise.withResolvers<ServerAnswer>()
  const later = (delay: number, run: () => void) => void world.schedule(delay, run, owner)
  const organisation_id = request.headers['X-organisation'] ?? ''
  const tenant = server.tenants.get(organisation_id)
  if (server.settings.has_events !== true || !tenant) {
    later(50, () => resolve(errorResponse(404, 'There are no events.')))
    return promise
  }
  if (server.tokens.userOf(request.headers.Authorization, world.now) === undefined) {
    later(50, () => resolve(errorResponse(401, 'Unauthenticated.')))
    return promise
  }
  let announced: number | undefined
  const publish = () => {
    const { version } = tenant
    if (version === announced || !isOpen()) return
    const data = JSON.stringify(versionEvent(organisation_id, tenant, announced))
    const event = { type: 'version', data }
    announced = version
    later(world.rng.numberBetween(5, 120), () => {
      if (!signal.cancelled) void onEvent(event)
    })
  }
  const end = () => {
    server.listeners.delete(publish)
    const headers = { 'content-type': 'text/event-stream' }
    resolve({ status: 200, headers, text: '' })
  }
  server.listeners.add(publish)
  publish()
  signal.onCancel(end)
  const watch = () => {
    if (!isOpen() || signal.cancelled) return end()
    return later(request.timeoutMs, watch)
  }
  later(request.timeoutMs, watch)
  later(LIFE_MS, end)
  return promise
}
