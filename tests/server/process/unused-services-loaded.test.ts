// Libraries for services that are not configured cost memory at every start.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import packageFile from '../../../package.json' with { type: 'json' }
import { ServerProcess, newFolder } from '../fixtures/server-process.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Loaded before the server: names the packages that it has loaded when it ends. */
const LIST_PACKAGES = `
import { registerHooks } from 'node:module'
const packages = new Set()
registerHooks({
  load(url, context, next) {
    const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]
    if (name) packages.add(name)
    return next(url, context)
  },
})
process.on('exit', () => console.log('Packages: ' + JSON.stringify([...packages])))
`
const { dependencies } = packageFile

let folder: Awaited<ReturnType<typeof newFolder>>
beforeAll(async () => {
  folder = await newFolder()
  await folder.reset()
})
afterAll(() => folder.remove())

/** The packages of `dependencies` that a server has loaded after it has answered a call. */
async function packagesOf(env: Record<string, string>): Promise<string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(LIST_PACKAGES)}`
  const server = await new ServerProcess(folder.path, {
    NODE_OPTIONS: `--import ${hook}`,
    ...env,
  }).ready()
  expect((await server.call('GET', '/readyz')).status).toBe(200)
  expect((await server.call('GET', '/api/v1/userinfo')).status).toBe(401)
  expect(await server.stop('SIGTERM')).toBe(0)
  const [, list = '[]'] = /^Packages: (.*)$/m.exec(server.output) ?? []
  return (JSON.parse(list) as string[]).filter((name) => name in dependencies).toSorted()
}

test('a start with nothing configured loads no library of a service', async () => {
  const SERVER = ['@hono/node-server', 'hono', 'kysely', 'pg', 'prom-client', 'uuid', 'valibot']
  const loaded = await packagesOf({})
  expect(loaded).toEqual(SERVER)

  const configured = await packagesOf({
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'cairn@example.com',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PRICE: 'price_1',
  })
  expect(configured).toEqual([...SERVER, 'nodemailer', 'stripe'].toSorted())
})
