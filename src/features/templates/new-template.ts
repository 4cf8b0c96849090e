// The creation of a template by a form.
import type { Template, TemplateDraft } from '../../../contract/schemas/templates.ts'
import { createTemplate, updateTemplate } from '../../data/templates.ts'

/**
 * Creates a template. Where an earlier attempt of the same form has, whose answer was lost, it gets what was typed
 * since; if others have changed it, nothing is written and this resolves with the template. Throws a CallError.
 */
export async function createOnce(
  body: TemplateDraft & { id: string },
): Promise<Template | undefined> {
  const made = await createTemplate(body)
  const left = Object.entries(body).filter(
    ([name, value]) =>
      name in made && JSON.stringify(value) !== JSON.stringify(made[name as keyof Template]),
  )
  const isTouched = made.updated_at !== made.created_at
  return isTouched && left.length > 0 ? made : await updateTemplate(made, Object.fromEntries(left))
}
