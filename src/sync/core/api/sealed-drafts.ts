// Drafts of another server. Under its address the same user id is another person, so they are moved to keys
// that no form reads, until a user signs in to that server again.
import type { ApiAddress, Key, Transaction } from '../ports.ts'
import { isSameServer } from './address.ts'

/** Of a draft: user, organisation and name; of a sealed one the base URL of its API, too. */
const DRAFT_KEY_LENGTH = 3

const isSealed = (key: Key): boolean => key.length > DRAFT_KEY_LENGTH

/** Seals all drafts, which belong to the server at `bound`. */
export async function sealDrafts(tx: Transaction, bound: string): Promise<void> {
  for (const key of await tx.keys('drafts', []))
    if (typeof key !== 'string' && !isSealed(key)) await move(tx, key, [...key, bound])
}

/** Makes the drafts of the present server readable again. */
export async function unsealDrafts(tx: Transaction, address: ApiAddress): Promise<void> {
  if (address.isUnknown) return
  for (const key of await tx.keys('drafts', []))
    if (typeof key !== 'string' && isSealed(key) && isSameServer(address, key.at(-1)))
      await move(tx, key, key.slice(0, DRAFT_KEY_LENGTH))
}

/** Deletes a user's drafts for the present server. */
export async function deleteDrafts(tx: Transaction, user_id: string): Promise<void> {
  for (const key of await tx.keys('drafts', [user_id])) if (!isSealed(key)) tx.delete('drafts', key)
}

async function move(tx: Transaction, from: string[], to: string[]): Promise<void> {
  const text = await tx.get('drafts', from)
  tx.delete('drafts', from)
  tx.put('drafts', to, text)
}
