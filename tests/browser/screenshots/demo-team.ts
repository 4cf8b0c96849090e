// The team in every test: one founder, one customer, three plans with a history.
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { inDays } from '../fixtures/in-days.ts'

/** Plain data, so that the global setup can pass it to the tests. */
export interface Team {
  founder: string
  /** Her access token, which is valid on every copy of the data. */
  founderToken: string
  organisation: Organisation
  account: Account
  /** The plan that tests open. */
  plan: SuccessPlan
  /** A plan that no test opens while there is a network. */
  unopened: SuccessPlan
}

/** Texts of the team's history, to find on the screens. */
export const HISTORY = {
  opened: 'Kick-off done, the data team has joined.',
  unopened: 'Twelve of fifteen sites are live, the last three follow in spring.',
}

/** Creates the team at the server `url`. */
export async function createDemoTeam(url: string): Promise<Team> {
  const ada = await ApiUser.register(url, 'Ada Fell')
  const organisation = await ada.createOrganisation('Ridge and Partners')
  const account = await ada.createAccount({
    name: 'Northwind Harbour',
    arr: 48_000,
    currency: 'EUR',
    health: 'on-track',
    renewal_date: inDays(80),
    contacts: [{ name: 'Mira Stone', email: 'mira@example.com', is_primary: true }],
  })
  const planned = { account_id: account.id, start_date: inDays(-40), end_date: inDays(50) }
  const plan = await ada.createPlan({
    ...planned,
    title: 'Launch the analytics workspace',
    status: 'in-progress',
    health: 'on-track',
    description: 'From spreadsheets to one shared workspace.',
  })
  const unopened = await ada.createPlan({
    ...planned,
    title: 'Roll out to every harbour',
    status: 'in-progress',
    health: 'at-risk',
    success_criteria: 'All fifteen sites work in it daily.',
  })
  await ada.createPlan({ ...planned, title: 'Renewal review', status: 'planned' })
  await ada.postUpdate(plan, { body: HISTORY.opened, progress: 20 })
  await ada.postUpdate(unopened, { body: HISTORY.unopened, progress: 80 })
  return { founder: ada.name, founderToken: ada.token, organisation, account, plan, unopened }
}
