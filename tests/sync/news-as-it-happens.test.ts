import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../src/sync/engine.ts'
import { Stage, say, until } from './stage.ts'

/** A device in the organisation `north` that has read all of it, before a server that tells. */
async function upToDate(): Promise<{ stage: Stage; tab: Engine }> {
  const stage = new Stage()
  onTestFinished(() => stage.close())
  stage.knowsEvents = true
  const tab = await stage.signedIn('ann')
  await until(() => expect(tab.lastSyncedAt.get()).not.toBe(null))
  return { stage, tab }
}

const titleIn = async (tab: Engine) =>
  (await tab.activeReplica()?.record('success_plans', 'north-1'))?.title

/** What others do, without any action here. */
function rename(stage: Stage, title: string): void {
  stage.server.editPlan('north', 'north-1', { title })
  for (const stream of stage.streams) stream.tell()
}

test('what others do is on the device as soon as the server tells', async () => {
  const { stage, tab } = await upToDate()
  tab.subscription.setVisible(true)
  await until(() => expect(tab.subscription.connected).toBe(true))
  rename(stage, 'Renamed by Mia')
  await until(async () => expect(await titleIn(tab)).toBe('Renamed by Mia'))
})

test('many changes in one breath are read at once', async () => {
  const { stage, tab } = await upToDate()
  tab.subscription.setVisible(true)
  await until(() => expect(tab.subscription.connected).toBe(true))
  const asked = stage.requests.length
  for (let many = 1; many <= 50; many += 1) rename(stage, `Renamed ${many} times`)
  await until(async () => expect(await titleIn(tab)).toBe('Renamed 50 times'))
  expect(stage.requests.length - asked).toBeLessThanOrEqual(2)
})

test('nobody looks: nothing is listened to', async () => {
  const { stage, tab } = await upToDate()
  tab.subscription.setVisible(true)
  await until(() => expect(stage.streams.size).toBe(1))
  tab.subscription.setVisible(false)
  await until(() => expect(stage.streams.size).toBe(0))
  expect(tab.subscription.connected).toBe(false)
})

test('two tabs, one stream; when the first is looked at no more, the second takes over', async () => {
  const { stage, tab } = await upToDate()
  const other = await stage.tab()
  tab.subscription.setVisible(true)
  await until(() => expect(tab.subscription.connected).toBe(true))
  other.subscription.setVisible(true)
  rename(stage, 'Renamed for both')
  await until(async () => expect(await titleIn(other)).toBe('Renamed for both'))
  expect(stage.streams.size).toBe(1)
  expect(other.subscription.connected).toBe(false)
  tab.subscription.setVisible(false)
  await until(() => expect(other.subscription.connected).toBe(true))
  expect(stage.streams.size).toBe(1)
})

test('the access token ran out: renewed once, and listened on', async () => {
  const { stage, tab } = await upToDate()
  stage.ahead = 20 * 60_000
  tab.subscription.setVisible(true)
  await until(() => expect(tab.subscription.connected).toBe(true))
  expect(stage.requests.filter(({ url }) => url === '/oauth/token')).toHaveLength(2)
})

test('another organisation is chosen: that one is listened to, and the other no more', async () => {
  const { stage, tab } = await upToDate()
  tab.subscription.setVisible(true)
  await until(() => expect(tab.subscription.connected).toBe(true))
  await tab.session.update('ann', { active_organisation: { id: 'south' } })
  await until(() => expect([...stage.streams].map((one) => one.organisation_id)).toEqual(['south']))
})

test('a sign-out ends it', async () => {
  const { stage, tab } = await upToDate()
  tab.subscription.setVisible(true)
  await until(() => expect(stage.streams.size).toBe(1))
  await tab.signOut('keep')
  await until(() => expect(stage.streams.size).toBe(0))
})

test('the stream ends: opened again, and what was missed is read', async () => {
  const { stage, tab } = await upToDate()
  tab.subscription.setVisible(true)
  await until(() => expect(tab.subscription.connected).toBe(true))
  const [stream] = stage.streams
  stage.server.editPlan('north', 'north-1', { title: 'Renamed unheard' })
  stream?.end()
  await until(async () => expect(await titleIn(tab)).toBe('Renamed unheard'))
})

test('a server that moved to another database says so with a lower version: all is read anew', async () => {
  const { stage, tab } = await upToDate()
  stage.server.move()
  tab.subscription.setVisible(true)
  await until(async () => {
    const since = (await tab.activeReplica()?.cursor())?.since
    expect(since).toBe(stage.server.tenants.get('north')?.version)
  })
})

test('a server that knows no events is asked once, and what is said is sent all the same', async () => {
  const { stage, tab } = await upToDate()
  stage.knowsEvents = false
  const asks = () => stage.requests.filter(({ url }) => url === '/api/v1/events').length
  tab.subscription.setVisible(true)
  await until(() => expect(asks()).toBe(1))
  await say(tab, 'They signed.')
  await until(() => expect(stage.texts).toEqual(['They signed.']))
  tab.subscription.setVisible(false)
  tab.subscription.setVisible(true)
  tab.wake()
  await say(tab, 'They paid.')
  await until(() => expect(stage.texts).toEqual(['They signed.', 'They paid.']))
  expect({ asks: asks(), hears: tab.subscription.connected }).toEqual({ asks: 1, hears: false })
})
