// Somebody at another device, who speaks to the API itself: sets the scene, and says what the server
// really has.
import { v7 as uuidv7 } from 'uuid'
import type { Account } from '../../contract/accounts.ts'
import type { Config } from '../../contract/config.ts'
import type { Organisation } from '../../contract/organisations.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../contract/success-plans.ts'

const PASSWORD = 'a-cairn-on-the-ridge'

interface Tokens {
  access_token: string
  refresh_token: string
}

export class ApiUser {
  readonly name: string
  readonly email: string
  readonly password = PASSWORD
  readonly #url: string
  #token = ''
  /** With a password, and so again whenever the access token has run out. */
  #signedIn = false
  #organisation: string | undefined

  constructor(url: string, name: string, organisation?: Organisation) {
    this.#url = url
    this.name = name
    this.email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
    this.#organisation = organisation?.id
  }

  /** Registers and signs in. */
  static async register(url: string, name: string): Promise<ApiUser> {
    const person = new ApiUser(url, name)
    const { email, password } = person
    await person.call('POST', '/api/v1/register', {
      name,
      email,
      password,
      password_confirmation: password,
    })
    await person.signIn()
    return person
  }

  /** Signs in again: an access token of its own, whatever became of the one before. */
  signIn(): Promise<Tokens> {
    const { email, password } = this
    this.#signedIn = true
    return this.#askForTokens({ grant_type: 'password', username: email, password })
  }

  /** Spends a refresh token, whosever it is; the access token that comes with its successor is used. */
  async refresh(refresh_token: string): Promise<Tokens> {
    const tokens = await this.#askForTokens({ grant_type: 'refresh_token', refresh_token })
    await this.call('GET', '/api/v1/userinfo')
    return tokens
  }

  async #askForTokens(grant: object): Promise<Tokens> {
    const config = (await (await fetch(`${this.#url}/config.json`)).json()) as Config
    const tokens = (await this.call('POST', '/oauth/token', {
      ...grant,
      client_id: config.clientId,
      client_secret: config.clientSecret,
      scope: '',
    })) as Tokens
    this.#token = tokens.access_token
    return tokens
  }

  /** A call of the API; throws what the server says when it is not a success. */
  async call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(this.#url + path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
        ...(method !== 'GET' && path.startsWith('/api') && { 'Idempotency-Key': uuidv7() }),
        ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
        ...(this.#organisation && { 'X-organisation': this.#organisation }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (answer.status === 401 && this.#signedIn && path.startsWith('/api')) {
      await this.signIn()
      return await this.call(method, path, body)
    }
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  async #record<T>(path: string, body: object): Promise<T> {
    return ((await this.call('POST', path, body)) as { data: T }).data
  }

  async createOrganisation(name: string): Promise<Organisation> {
    const organisation = await this.#record<Organisation>('/api/v1/organisations', { name })
    this.#organisation = organisation.id
    return organisation
  }

  createAccount(account: object): Promise<Account> {
    return this.#record('/api/v1/accounts', account)
  }

  createPlan(plan: object): Promise<SuccessPlan> {
    return this.#record('/api/v1/success-plans', plan)
  }

  postUpdate(plan: SuccessPlan, update: object): Promise<SuccessPlanUpdate> {
    return this.#record(`/api/v1/success-plans/${plan.id}/updates`, update)
  }

  /** All updates of the plan that say just this. */
  async updatesWithText(plan: SuccessPlan, body: string): Promise<SuccessPlanUpdate[]> {
    const path = `/api/v1/success-plans/${plan.id}/updates?per_page=500`
    const { data } = (await this.call('GET', path)) as { data: SuccessPlanUpdate[] }
    return data.filter((update) => update.body === body)
  }
}
