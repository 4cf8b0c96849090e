// The floor of the server: a bare handler on the same HTTP library that runs the statements of our server
// for a request, in the same transactions and roles, and nothing else. The statements are recorded from
// our server while it answers once.
import { serve } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { v7 as uuidv7 } from 'uuid'
import { createApp } from '../../server/app.ts'
import { appConfig } from '../../server/configuration/configuration.ts'
import { noteOwn, notePostgres } from './statements.ts'

const { DATA_DIR, DATABASE_URL = '', DATABASE_OWNER_URL = '' } = process.env
/** The organisations whose statements are recorded, each with one of its members and plans. */
const tenants = JSON.parse(process.env['TENANTS'] ?? '[]') as {
  organisation: string
  token: string
  plan: string
}[]

const { database, noted, run } = DATA_DIR
  ? await noteOwn(DATA_DIR)
  : await notePostgres({ url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL })
const nothing = () => Promise.resolve()
const app = createApp({
  database,
  config: appConfig({}),
  tokenKey: Buffer.alloc(32),
  mail: { enqueue: nothing, deliver: nothing, stop: nothing },
  publicUrl: () => '',
})

async function note({ organisation, token, plan }: (typeof tenants)[number]) {
  const headers = {
    Authorization: `Bearer ${token}`,
    'X-organisation': organisation,
    'Content-Type': 'application/json',
  }
  const [id, key] = [uuidv7(), uuidv7()]
  const list = await noted(async () => app.request('/api/v1/success-plans', { headers }))
  const post = await noted(async () =>
    app.request(`/api/v1/success-plans/${plan}/updates`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': key },
      body: JSON.stringify({ id, body: 'All sites are live.' }),
    }),
  )
  return { list, post, plan, id, key }
}

const recorded = new Map<string, Awaited<ReturnType<typeof note>>>()
for (const tenant of tenants) recorded.set(tenant.organisation, await note(tenant))

function recordedFor({ req }: Context) {
  const found = recorded.get(req.header('X-organisation') ?? '')
  if (!found) throw new Error('Nothing is recorded for this organisation.')
  return found
}

const lastOf = (answers: unknown[][], place: number) =>
  answers.filter((rows) => rows.length > 0).at(place)

const bare = new Hono()
bare.get('/api/v1/success-plans', async (context) =>
  context.json({ data: lastOf(await run(recordedFor(context).list, new Map()), -1) }),
)
bare.post('/api/v1/success-plans/:plan/updates', async (context) => {
  const { post, plan, id, key } = recordedFor(context)
  const body = await context.req.json<{ id: string }>()
  const others = new Map<unknown, unknown>()
    .set(plan, context.req.param('plan'))
    .set(id, body.id)
    .set(key, context.req.header('Idempotency-Key'))
  return context.json({ data: lastOf(await run(post, others), -1) }, 201)
})
const server = serve({ fetch: bare.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(port),
)
process.once('SIGTERM', () => {
  server.close()
  if ('closeAllConnections' in server) server.closeAllConnections()
  void database.close().finally(() => process.exit(0))
})
