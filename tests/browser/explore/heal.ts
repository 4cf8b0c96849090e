// Ends the faults of an exploration and waits until every device has sent and read everything.
import type { Page } from 'playwright-core'
import { engineTable } from '../../../contract/engine-table.ts'
import { fillSignIn } from '../fixtures/app.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { idsAwaitingAuthor } from '../../sync/awaiting-author.ts'
import type { Device } from './device.ts'
import { readDeviceStorage, readReplica, type DeviceStorage } from './device-storage.ts'
import type { ExploreFixture } from './explore-fixture.ts'
import { readServer, type ServerRows } from './final-checks.ts'
import type { Ledger } from './ledger.ts'

/** Longer than a context waits before it steals the replay's lock. */
const HEAL_TIMEOUT_MS = 90_000

/**
 * Heals both devices and returns the server's rows by organisation. What does not heal is reported as a
 * violation.
 */
export async function heal(
  scene: ExploreFixture,
  ledger: Ledger,
  step: number,
): Promise<Map<string, ServerRows>> {
  await Promise.all(scene.devices.map((device) => reopen(device)))
  for (const device of scene.devices) {
    const [page] = device.tabs
    if (!page) continue
    await expectHealed(device, 'nothing is pending', async () => {
      const left = pendingOf(await readDeviceStorage(page))
      return left.map(({ endpoint, state, attempts, last_error, acknowledged_at }) =>
        JSON.stringify({ endpoint, state, attempts, last_error, acknowledged_at }),
      )
    })
    const storage = await readDeviceStorage(page)
    ledger.expectNoDiscards(device.name)
    ledger.record(device.name, storage, step)
    const expected = storage.operations.some(({ state }) => state === 'attention')
      ? ['Sync: Needs attention. Show details']
      : []
    await expectHealed(device, 'the pill is silent unless something needs attention', async () => {
      const shown = await pillsOf(page)
      return JSON.stringify(shown) === JSON.stringify(expected) ? [] : [shown.join() || 'no pill']
    })
  }
  const servers = new Map<string, ServerRows>()
  for (const { organisation, reader } of scene.organisations)
    servers.set(organisation.id, await readServer(reader))
  for (const device of scene.devices) await expectSameRows(device, servers)
  return servers
}

/** One tab on a fine network, signed in. */
async function reopen(device: Device): Promise<void> {
  await device.weather.change('fine')
  const [page, ...others] = device.tabs
  for (const other of others) await device.closeTab(other)
  if (!page) throw new Error('The device has no tab.')
  await page.goto(`${device.url}/success-plans`)
  await device.view(page)
  if (new URL(page.url()).pathname === '/auth') {
    await fillSignIn(page, device.person)
    await page.waitForURL((url) => url.pathname !== '/auth')
    device.isSignedOut = false
  }
  // The address alone does not tell: the screen that was asked for redirects to the picker.
  const first = page.getByRole('list', { name: 'Your organisations' }).getByRole('button').first()
  const isPicked = await waitUntil('an organisation is open or can be picked', async () => {
    if ((await readDeviceStorage(page)).organisation_id !== undefined) return 'open'
    return (await first.isVisible()) && 'to pick'
  })
  if (isPicked === 'open') return
  await first.click()
  await page.waitForURL((url) => url.pathname !== '/organisations')
}

/**
 * What is still on its way, and does not wait for its author. What was sent for an organisation that is not
 * open stays until that one is pulled.
 */
function pendingOf({ operations, organisation_id: open }: DeviceStorage): Operation[] {
  const awaiting = idsAwaitingAuthor(operations, engineTable.calls)
  return operations.filter(
    ({ id, state, organisation_id }) =>
      !awaiting.has(id) && (state !== 'acknowledged' || (organisation_id ?? open) === open),
  )
}

const pillsOf = async (page: Page) =>
  await page
    .getByRole('button', { name: /^Sync:/ })
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))

async function expectSameRows(
  device: Device,
  servers: ReadonlyMap<string, ServerRows>,
): Promise<void> {
  const [page] = device.tabs
  const { user_id, organisation_id } = page ? await readDeviceStorage(page) : {}
  const rows = servers.get(organisation_id ?? '')
  if (!page || user_id === undefined || organisation_id === undefined || !rows) return
  const expected = new Map<string, unknown>(
    [...rows].flatMap(([name, list]) =>
      list.map((row) => [`${name}/${row.id}`, row['version']] as const),
    ),
  )
  await expectHealed(device, 'the replica equals the server’s rows', async () => {
    const stored = await readReplica(page, user_id, organisation_id)
    const ids = new Set([...expected.keys(), ...stored.keys()])
    return [...ids]
      .filter((id) => expected.get(id) !== stored.get(id) || expected.has(id) !== stored.has(id))
      .map((id) => `${id}: ${String(stored.get(id))} instead of ${String(expected.get(id))}`)
  })
}

/** The latest calls of the device, for the report. */
const lastCallsOf = ({ network }: Device) =>
  network.exchanges
    .filter(({ path }) => /^\/(api|oauth)/.test(path))
    .slice(-20)
    .map((one) => JSON.stringify(one))

/** What a device shows, stores and has called, for the report. */
export async function describeDevice(device: Device): Promise<string> {
  const [page] = device.tabs
  if (!page) return `${device.name} has no tab.`
  const { operations, sent, ...session } = await readDeviceStorage(page)
  const shown = await page.locator('body').innerText().catch(String)
  return [
    `${device.name} at ${page.url()}: ${JSON.stringify(session)}`,
    shown,
    ...operations.map((one) => `in the outbox: ${JSON.stringify(one)}`),
    ...sent.map((one) => `sent: ${JSON.stringify(one)}`),
    ...lastCallsOf(device),
  ].join('\n')
}

/** Waits until `faults` finds none; reports the last ones as a violation otherwise. */
async function expectHealed(
  device: Device,
  property: string,
  faults: () => Promise<string[]>,
): Promise<void> {
  let last: string[] = []
  const isHealed = async () => {
    last = await faults()
    return last.length === 0
  }
  await waitUntil(property, isHealed, HEAL_TIMEOUT_MS).catch(() =>
    device.violate(
      `after healing ${property}`,
      [`${device.name}: ${last.join('\n')}`, ...lastCallsOf(device)].join('\n'),
    ),
  )
}
