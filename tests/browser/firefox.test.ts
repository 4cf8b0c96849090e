// Firefox: killed after “Saved on this device”, it starts again without a network with everything in
// it, and sends what waits exactly once.
import { expect, test } from 'vitest'
import {
  card,
  cardIn,
  composer,
  openPlan,
  pickOrganisation,
  planRow,
  readyForTheAir,
  SAVED,
} from './app.ts'
import { UPDATES } from './at-a-plan.ts'
import { Firefox } from './firefox.ts'
import { setSceneIn } from './scene.ts'
import { HISTORY } from './team.ts'
import { until } from './until.ts'

const TEXT = 'Written in the tunnel.'

test('Firefox is killed in a tunnel: plans and update are there, and it is sent once', async () => {
  const scene = await setSceneIn((profile, origins, complaints) =>
    Firefox.start(profile, origins, complaints),
  )
  const { ada, network, plan, unopened, url } = scene
  const page = await scene.browser.open(`${url}/success-plans`)
  // By real keys: what the driver fills in at once, React does not hear of in this browser.
  await page.getByLabel('Email').pressSequentially(ada.email)
  await page.getByLabel('Password', { exact: true }).pressSequentially(ada.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await pickOrganisation(page)
  await readyForTheAir(page)
  await openPlan(page, plan)
  await network.goDown()
  await composer(page).pressSequentially(TEXT)
  await page.getByRole('button', { name: 'Post update' }).click()
  await cardIn(page, TEXT, SAVED).waitFor()
  await scene.restartBrowser()

  const again = await scene.browser.open(`${url}/success-plans`)
  await again
    .getByText(/Offline · as of/)
    .first()
    .waitFor()
  await planRow(again, plan).waitFor()
  await openPlan(again, unopened)
  await again.getByText(HISTORY.unopened).waitFor()
  await again.goto(`${url}/success-plans/${plan.id}`)
  await cardIn(again, TEXT, SAVED).waitFor()

  // The first answer is lost on the way back.
  network.break({ method: 'POST', path: UPDATES }, { kind: 'answer-lost' }, 1)
  await network.comeUp()
  await until('the server has it', async () => (await ada.updatesSaying(plan, TEXT)).length > 0)
  const answers = () => network.seen('POST', UPDATES).map(({ status }) => status)
  await until('it is answered', () => answers().includes(201))
  await cardIn(again, TEXT, SAVED).waitFor({ state: 'detached' })
  await card(again, TEXT).waitFor()
  expect(answers()).toEqual([undefined, 201])
  expect(await ada.updatesSaying(plan, TEXT)).toHaveLength(1)
})
