// The floor of the server: node:http and the very statements that our server makes for a request, in
// the same transactions and roles, and nothing else. They are taken down from our server while it
// answers once.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { v7 as uuidv7 } from 'uuid'
import { createApp } from '../../server/app.ts'
import { appConfig } from '../../server/configuration.ts'
import { noteEmbedded, notePostgres } from './statements.ts'

const { DATA_DIR, DATABASE_URL = '', DATABASE_OWNER_URL = '' } = process.env
const { TOKEN = '', ORGANISATION = '', PLAN = '' } = process.env
const headers = {
  Authorization: `Bearer ${TOKEN}`,
  'X-organisation': ORGANISATION,
  'Content-Type': 'application/json',
}

const { database, noted, run } = DATA_DIR
  ? await noteEmbedded(DATA_DIR)
  : await notePostgres({ url: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL })
const nothing = () => Promise.resolve()
const app = createApp({
  database,
  config: appConfig({}),
  tokenKey: Buffer.alloc(32),
  mail: { add: nothing, deliver: nothing, end: nothing },
  publicUrl: () => '',
})
const [id, key] = [uuidv7(), uuidv7()]
const list = await noted(async () => app.request('/api/v1/success-plans', { headers }))
const post = await noted(async () =>
  app.request(`/api/v1/success-plans/${PLAN}/updates`, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': key },
    body: JSON.stringify({ id, body: 'All sites are live.' }),
  }),
)

async function respond(incoming: IncomingMessage, outgoing: ServerResponse) {
  const [, plan] = /success-plans\/([^/]+)\/updates$/.exec(incoming.url ?? '') ?? []
  const others = new Map<unknown, unknown>()
  if (plan !== undefined) {
    const parts = await incoming.toArray()
    const body = JSON.parse(Buffer.concat(parts as Buffer[]).toString()) as { id: string }
    others.set(PLAN, plan).set(id, body.id).set(key, incoming.headers['idempotency-key'])
  }
  const answers = await run(plan === undefined ? list : post, others)
  const rows = answers.filter((some) => some.length > 0)
  outgoing
    .writeHead(plan === undefined ? 200 : 201, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ data: rows.at(plan === undefined ? -2 : -1) }))
}

const server = createServer((incoming, outgoing) => void respond(incoming, outgoing))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
process.once('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
  void database.close().finally(() => process.exit(0))
})
