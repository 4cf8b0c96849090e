// Two users on two devices, each with its own network, and two organisations that both belong to.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { fillSignIn, pickOrganisation, waitForOfflineReady } from '../fixtures/app.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { Chromium } from '../fixtures/chromium.ts'
import { copyFolder } from '../fixtures/copy-folder.ts'
import { FaultProxy } from '../fixtures/fault-proxy.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { Device, type DeviceOptions } from './device.ts'

/** Short, so that tokens expire in the middle of an exploration. */
const ACCESS_TOKEN_SECONDS = 25

export interface ExploreFixture extends BrowserFixture {
  devices: Device[]
  /** Each organisation, with a user who reads what the server has. */
  organisations: { organisation: Organisation; reader: ApiUser }[]
}

/** `violate` is called with the name of a property and what broke it. */
export async function createExploreFixture(
  violate: DeviceOptions['violate'],
): Promise<ExploreFixture> {
  const scene = await createBrowserFixture({
    usedBefore: true,
    accessTokenSeconds: ACCESS_TOKEN_SECONDS,
  })
  const { ada, network, server, url } = scene
  const mia = await addMember(scene, 'Mia Okafor')
  const second = await createSecondOrganisation(scene, mia)
  const { account, plan } = scene
  const records = [
    `/success-plans/${plan.id}`,
    `/success-plans/${plan.id}?edit`,
    `/success-plans/${plan.id}?show=initiatives`,
    `/accounts/${account.id}?edit`,
  ]
  let isStarted = false
  const adasDevice = new Device({
    person: ada,
    network,
    url,
    violate,
    size: 'desktop',
    records,
    // The fixture has started it once.
    start: async () => {
      if (isStarted) await scene.restartBrowser()
      isStarted = true
      return scene.browser
    },
  })
  const miasNetwork = await FaultProxy.start(server.port)
  onTestFinished(() => miasNetwork.goDown())
  const miasDevice = new Device({
    person: mia,
    network: miasNetwork,
    url,
    violate,
    size: 'phone',
    records,
    start: await createBrowserStart(scene, miasNetwork),
  })
  await adasDevice.start([`${url}/success-plans`])
  await miasDevice.start([`${url}/success-plans`])
  const [page] = miasDevice.tabs
  if (!page) throw new Error('The device has no tab.')
  await fillSignIn(page, mia)
  await page.getByRole('list', { name: 'Your organisations' }).waitFor()
  await pickOrganisation(page)
  await waitForOfflineReady(page)
  return {
    ...scene,
    devices: [adasDevice, miasDevice],
    organisations: [{ organisation: scene.organisation, reader: ada }, second],
  }
}

async function createSecondOrganisation({ ada, server }: BrowserFixture, mia: ApiUser) {
  const reader = new ApiUser(server.url, ada.name)
  await reader.signIn()
  const organisation = await reader.createOrganisation('Summit Guild')
  await reader.call('POST', '/api/v1/organisation-invites', { email: mia.email })
  const token = await waitUntil('the second invitation arrives', async () => {
    const mails = (await server.mails()).filter((mail) => mail.includes(organisation.name))
    return /invite_token=(\S+)/.exec(mails.at(-1) ?? '')?.[1]
  })
  await mia.call('POST', '/api/v1/organisation-invites/accept', { token })
  await reader.createPlan({ title: 'Guild charter', type: 'project', status: 'in-progress' })
  return { organisation, reader }
}

/** Starts a browser on a new profile; kills it first when it runs already. */
async function createBrowserStart(
  { pageErrors, url }: BrowserFixture,
  network: FaultProxy,
): Promise<() => Promise<Chromium>> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-explore-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const profile = join(folder, 'profile')
  await copyFolder(inject('signedOutProfile'), profile)
  let browser: Chromium | undefined
  onTestFinished(() => browser?.kill())
  return async () => {
    await browser?.kill()
    browser = await Chromium.start(profile, [url], pageErrors, network.port)
    return browser
  }
}
