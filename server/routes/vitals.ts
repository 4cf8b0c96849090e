// How fast the app is where people use it.
import { endpoints } from '../../contract/endpoints.ts'
import { limitNetwork, networkFrom } from '../http/authenticate.ts'
import { present, toResponse } from '../http/present.ts'
import { readBytes } from '../http/request-body.ts'
import { readInput, type RouteHandler } from '../http/route.ts'

/**
 * `POST /api/v1/vitals`: adds measurements of a device to the metrics. Anyone may call, so it has a budget of
 * its own, which is taken before the body is read: 429 above it, 413 for a large body, 422 for a name or page
 * outside the lists of `contract/schemas/vitals.ts`. It reads and stores nothing else, and uses no database.
 */
export const reportVitals: RouteHandler = {
  row: endpoints.reportVitals,
  async respond(services, context) {
    const { reportVitals: row } = endpoints
    limitNetwork(services, networkFrom(services, context), services.vitalsLimit)
    const bytes = await readBytes(context, row.maxBodyBytes)
    const { vitals } = readInput<typeof row>(row, context, bytes).body
    for (const vital of vitals) services.countVital(vital)
    return toResponse(present(row, undefined, context.req.url))
  },
}
