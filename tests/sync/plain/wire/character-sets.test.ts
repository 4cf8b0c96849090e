// A server writes its answers in another character set, with a byte order mark, or cut off.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createNetwork } from '../../../../src/sync/browser/web-ports.ts'

/** What a device reads of that answer. */
async function read(answer: (response: ServerResponse) => void) {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const network = createNetwork(() => `http://127.0.0.1:${port}`)
  return await network.exchange({ method: 'GET', url: '/', headers: {}, timeoutMs: 5_000 })
}

const NAME = '{"name":"Müller"}'

test.for<[string, string, Buffer]>([
  ['no character set', 'application/json', Buffer.from(NAME)],
  ['ISO 8859-1', 'application/json; charset=iso-8859-1', Buffer.from(NAME, 'latin1')],
  ['a quoted name', 'application/json;charset="ISO-8859-1"', Buffer.from(NAME, 'latin1')],
  ['UTF-16', 'application/json; charset=utf-16le', Buffer.from(NAME, 'utf16le')],
  ['a byte order mark', 'application/json', Buffer.from(`\uFEFF${NAME}`)],
  ['a set that does not exist', 'application/json; charset=x-none', Buffer.from(NAME)],
])('reads text with %s', async ([, type, bytes]) => {
  const { text } = await read((response) => {
    response.writeHead(200, { 'content-type': type }).end(bytes)
  })
  expect(JSON.parse(text)).toEqual({ name: 'Müller' })
})

test('an answer without a body is empty', async () => {
  expect(await read((response) => response.writeHead(204).end())).toMatchObject({ text: '' })
})

test('an answer that is cut off is none', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': '1000' }
  const cut = read((response) => {
    response.writeHead(200, headers).write(NAME, () => response.destroy())
  })
  await expect(cut).rejects.toThrow()
})
