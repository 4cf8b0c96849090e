// The floor of the server: node:http and the very statements that our server makes for a request, in
// the same transactions, and nothing else. They are taken down from our server while it answers once.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PGlite } from '@electric-sql/pglite'
import { v7 as uuidv7 } from 'uuid'
import { createApp } from '../../server/app.ts'
import { appConfig } from '../../server/configuration.ts'
import { openDatabase } from '../../server/database.ts'

interface Statement {
  sql: string
  values: unknown[]
}

const { DATA_DIR = '', TOKEN = '', ORGANISATION = '', PLAN = '' } = process.env
const headers = {
  Authorization: `Bearer ${TOKEN}`,
  'X-organisation': ORGANISATION,
  'Content-Type': 'application/json',
}

/** What our server has opened for itself. */
const opened = new Set<PGlite>()

/** The statements of all that `work` does, by transaction. */
async function noted(work: () => Promise<Response>): Promise<Statement[][]> {
  const transactions: Statement[][] = []
  const { prototype } = PGlite
  const transaction = Reflect.get(prototype, 'transaction')
  prototype.transaction = function note(run) {
    const statements: Statement[] = []
    transactions.push(statements)
    opened.add(this)
    return transaction.call(this, (tx) => {
      const query = Reflect.get(tx, 'query')
      tx.query = (sql, values = [], options) => {
        statements.push({ sql, values })
        return query.call(tx, sql, values, options) as never
      }
      return run(tx)
    }) as never
  }
  try {
    const answer = await work()
    if (!answer.ok) throw new Error(await answer.text())
  } finally {
    prototype.transaction = transaction
  }
  return transactions
}

const database = await openDatabase(DATA_DIR)
const app = createApp({ database, config: appConfig({}), tokenKey: Buffer.alloc(32) })
const [id, key] = [uuidv7(), uuidv7()]
const list = await noted(async () => app.request('/api/v1/success-plans', { headers }))
const post = await noted(async () =>
  app.request(`/api/v1/success-plans/${PLAN}/updates`, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': key },
    body: JSON.stringify({ id, body: 'All sites are live.' }),
  }),
)

const [pglite] = opened

/** Makes the transactions, with `others` in place of values that are new for each request. */
async function repeat(transactions: Statement[][], others: ReadonlyMap<unknown, unknown>) {
  let rows: unknown[] = []
  for (const statements of transactions)
    await pglite?.transaction(async (tx) => {
      for (const { sql, values } of statements) {
        const now = values.map((value) => others.get(value) ?? value)
        const result = await tx.query(sql, now)
        if (result.rows.length > 0) rows = [...rows, result.rows]
      }
    })
  return rows
}

async function respond(incoming: IncomingMessage, outgoing: ServerResponse) {
  const [, plan] = /success-plans\/([^/]+)\/updates$/.exec(incoming.url ?? '') ?? []
  const others = new Map<unknown, unknown>()
  if (plan !== undefined) {
    const parts = await incoming.toArray()
    const body = JSON.parse(Buffer.concat(parts as Buffer[]).toString()) as { id: string }
    others.set(PLAN, plan).set(id, body.id).set(key, incoming.headers['idempotency-key'])
  }
  const rows = await repeat(plan === undefined ? list : post, others)
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
  void database.close().then(() => process.exit(0))
})
