// The creation of a template by a form.
import type { Template, TemplateDraft } from '../../../contract/schemas/templates.ts'
import { createTemplate, updateTemplate } from '../../data/templates.ts'

/** Without what is empty, which the server may leave out. */
const comparable = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => inner ?? undefined)

/**
 * Creates a template. Where an earlier attempt of the same form has, whose answer was lost, it gets what was typed
 * since; if others have changed it, nothing is written and this resolves with the template. Throws a CallError.
 */
export async function createOnce(
  body: TemplateDraft & { id: string },
): Promise<Template | undefined> {
  const made = await createTemplate(body)
  const { id: _, from_success_plan_id: __, ...typed } = body
  const left = Object.fromEntries(
    Object.entries(typed).filter(
      ([name, value]) => comparable(value) !== comparable(made[name as keyof typeof typed]),
    ),
  )
  const isTouched = made.updated_at !== made.created_at
  return isTouched && Object.keys(left).length > 0 ? made : await updateTemplate(made, left)
}
