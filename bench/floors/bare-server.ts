// The floor of the server: a bare handler on the same HTTP library. A list is one statement, which is the least that
// checks session and membership. An update is the statements of our server, in the same transactions and roles, and
// nothing else; they are recorded from our server while it answers once.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { serve } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { v7 as uuidv7 } from 'uuid'
import { createApp } from '../../server/app.ts'
import { appConfig } from '../../server/configuration/configuration.ts'
import { sha256 } from '../../server/hash.ts'
import { noteOwn, notePostgres, type Statement } from './statements.ts'

const { DATA_DIR, DATABASE_URL = '', DATABASE_OWNER_URL = '' } = process.env
/** The organisations whose statements are recorded, each with one of its members and plans. */
const tenants = JSON.parse(process.env['TENANTS'] ?? '[]') as {
  organisation: string
  token: string
  plan: string
}[]

const { database, noted, run, ask, close } = DATA_DIR
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
  // The first call with a token has a transaction more than later ones.
  await app.request('/api/v1/success-plans', { headers })
  const [id, key] = [uuidv7(), uuidv7()]
  const post = await noted(async () =>
    app.request(`/api/v1/success-plans/${plan}/updates`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': key },
      body: JSON.stringify({ id, body: 'All sites are live.' }),
    }),
  )
  const [counted] = await ask(
    'select count(*) as total from success_plans where organisation_id = $1',
    [organisation],
  )
  return { post, plan, id, key, total: counted?.['total'] }
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

/** The first page of plans, for a member with a valid token. */
const LIST = `
  select page.* from access_tokens
  join token_families on token_families.id = access_tokens.family_id
  join organisation_users member
    on member.user_id = token_families.user_id and member.organisation_id = $2
  cross join lateral (
    select * from success_plans where organisation_id = $2 order by created_at desc, id limit 15
  ) as page
  where access_tokens.hash = $1 and access_tokens.expires_at > now() and revoked_at is null`

const bare = new Hono()
bare.get('/api/v1/success-plans', async (context) => {
  // Our server as well reads the total only when the organisation has changed.
  const { total } = recordedFor(context)
  const { req } = context
  const token = (req.header('Authorization') ?? '').slice('Bearer '.length)
  const data = await ask(LIST, [sha256(token), req.header('X-organisation')])
  return context.json({ data, meta: { total } })
})
bare.post('/api/v1/success-plans/:plan/updates', async (context) => {
  const { post, plan, id, key } = recordedFor(context)
  const body = await context.req.json<{ id: string }>()
  const others = new Map<unknown, unknown>()
    .set(plan, context.req.param('plan'))
    .set(id, body.id)
    .set(key, context.req.header('Idempotency-Key'))
  return context.json({ data: lastOf(await run(post, others), -1) }, 201)
})

const compress = promisify(gzip)
const STREAM = 'text/event-stream'
const headersIn = ({ req }: Context) => ({
  Authorization: req.header('Authorization') ?? '',
  'X-organisation': req.header('X-organisation') ?? '',
  'Accept-Encoding': 'gzip',
})
const keyOf = ({ req }: Context) => `${req.header('X-organisation')} ${req.query('since')}`
const GZIPPED = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }

/** The statements of pages of changes, by organisation and cursor. */
const pages = new Map<string, Statement[][]>()
bare.get('/api/v1/changes', async (context) => {
  const key = keyOf(context)
  const known = pages.get(key)
  const url = `/api/v1/changes?since=${context.req.query('since')}`
  const statements =
    known ?? (await noted(async () => app.request(url, { headers: headersIn(context) })))
  pages.set(key, statements)
  const answers = await run(statements, new Map())
  const bytes = await compress(JSON.stringify(answers))
  return context.body(new Uint8Array(bytes), 200, GZIPPED)
})

/** What our server sends in a stream of all pages, as it wrote it. */
const streams = new Map<string, Uint8Array[]>()
bare.get('/kept', async (context) => {
  const key = keyOf(context)
  let chunks = streams.get(key)
  if (!chunks) {
    const headers = { ...headersIn(context), Accept: STREAM }
    const { body } = await app.request('/api/v1/changes?since=0', { headers })
    streams.set(key, (chunks = await Array.fromAsync(body ?? [])))
  }
  const rest = chunks.values()
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value } = rest.next()
        if (value) controller.enqueue(value)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: { ...GZIPPED, 'Content-Type': STREAM },
  })
})
const server = serve({ fetch: bare.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(port),
)
process.once('SIGTERM', () => {
  server.close()
  if ('closeAllConnections' in server) server.closeAllConnections()
  void close().finally(() => process.exit(0))
})
