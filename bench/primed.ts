// A browser profile that has both on it: the app with its plans, and the floor with the same ones.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp } from '../tests/browser/build-app.ts'
import { Server } from '../tests/browser/server.ts'
import { until } from '../tests/browser/until.ts'
import { Browser } from './browser.ts'
import { fill, type Filled } from './fill.ts'
import { startPeer } from './peer.ts'

const PLANS = 2_000
/** The first visit installs; from the second on the browser keeps compiled code. */
const VISITS = 3

export interface Primed {
  profile: string
  app: string
  floor: string
  plans: string[]
}

let built: Promise<string> | undefined
/** The app, built once for all that measures it. */
export const builtApp = (folder: string): Promise<string> =>
  (built ??= buildApp(join(folder, 'app')))

let primed: Promise<Primed> | undefined
/** The profile, primed once; to be copied by whoever changes it. */
export const primedProfile = (folder: string): Promise<Primed> => (primed ??= prime(folder))

async function prime(folder: string): Promise<Primed> {
  await using ends = new AsyncDisposableStack()
  const dataDir = join(folder, 'primed-data')
  const filled = await fill(dataDir, { plans: PLANS, people: 1 })
  const server = await Server.start({ dataDir, dist: await builtApp(folder) })
  ends.defer(() => server.stop())
  const files = join(folder, 'floor')
  await mkdir(files)
  await cp(join(import.meta.dirname, 'floors'), files, { recursive: true })
  await writeFile(join(files, 'plans.json'), JSON.stringify(await plansOf(server.url, filled)))
  const peer = await startPeer(files)
  ends.defer(() => peer.stop())
  const profile = join(folder, 'profile')
  for (let visit = 1; visit <= VISITS; visit += 1) {
    await using browser = await Browser.start(profile)
    if (visit === 1) await signIn(browser, server.url, filled)
    for (const url of [`${server.url}/success-plans`, `${peer.url}/`]) {
      await browser.goto(url)
      await until(`${url} is ready for the air`, () => browser.run(isReady))
    }
  }
  return { profile, app: server.url, floor: peer.url, plans: filled.plans }
}

/** In the page: the plans are on the screen, their copy is whole, and the worker has the page. */
async function isReady(): Promise<boolean> {
  const worker = await navigator.serviceWorker.getRegistration()
  return (
    document.querySelector('[data-plan]') !== null &&
    worker?.active?.state === 'activated' &&
    document.body.innerText.includes('Up to date')
  )
}

/** Every plan as a device would get it, with its account's name. */
async function plansOf(url: string, { organisation, people }: Filled) {
  const headers = {
    Authorization: `Bearer ${people[0]?.access_token}`,
    'X-organisation': organisation.id,
  }
  const all = async (path: string) => {
    const records: Record<string, unknown>[] = []
    for (let page = 1, last = 1; page <= last; page += 1) {
      const answer = await fetch(`${url}${path}?per_page=500&page=${page}`, { headers })
      const { data, meta } = (await answer.json()) as {
        data: Record<string, unknown>[]
        meta: { last_page: number }
      }
      records.push(...data)
      last = meta.last_page
    }
    return records
  }
  const accounts = new Map((await all('/api/v1/accounts')).map(({ id, name }) => [id, name]))
  const plans = await all('/api/v1/success-plans')
  return plans.map((plan) => ({ ...plan, account: accounts.get(plan.account_id) }))
}

/** Puts the session where a sign-in would have put it. */
async function signIn(browser: Browser, url: string, filled: Filled): Promise<void> {
  await browser.goto(`${url}/healthz`)
  const { organisation, people } = filled
  const session = {
    access_token: people[0]?.access_token ?? '',
    refresh_token: 'none',
    user: JSON.stringify({ id: people[0]?.id, name: 'Ada Fell' }),
    active_organisation: JSON.stringify(organisation),
    session_seq: '1',
  }
  await browser.run((kept) => Object.assign(localStorage, kept), session)
}
