// A call of a screen replaced what another person had written since: it did not say what it was based on.
import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { EngineFixture } from '../engine-fixture.ts'
import { PlainFixture } from '../plain/plain-fixture.ts'

const EDIT = { path: { id: '1' }, body: { name: 'North' }, version: 7 }
const edit = product.calls['updateAccount']

/** The headers of the request, whatever the server answers. */
async function headersOf(stage: EngineFixture, tab: Awaited<ReturnType<EngineFixture['tab']>>) {
  if (!edit) throw new Error('No such call.')
  await tab.call(edit, EDIT)
  return stage.requests.findLast(
    ({ method, url }) => method !== 'GET' && url.endsWith('/accounts/1'),
  )?.headers
}

test('an edit names the version that it is based on', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  expect(await headersOf(stage, tab)).toMatchObject({ 'If-Match': '"7"' })
})

test('a server without versions is not told one', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const headers = await headersOf(stage, tab)
  expect(headers).toHaveProperty('X-organisation')
  expect(headers).not.toHaveProperty('If-Match')
})
