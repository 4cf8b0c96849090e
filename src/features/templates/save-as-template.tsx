import { useNavigate } from 'react-router'
import { validateForm } from '../../../contract/errors.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { TemplateDraft } from '../../../contract/schemas/templates.ts'
import { TextField } from '../../ui/form/field.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { EditorDialog } from '../../widgets/editing/editor-form.tsx'
import { useEditor } from '../../widgets/editing/use-editor.tsx'
import { createOnce } from './new-template.ts'
import { useWriteBlocker } from './use-write-blocker.ts'
import { fromTemplateMessages as messages } from './messages.ts'

interface SaveAsTemplateProps {
  plan: Pick<SuccessPlan, 'id' | 'title'>
  onClose: () => void
}

/** Creates a template from a plan's work. Needs a network. */
export function SaveAsTemplate({ plan, onClose }: SaveAsTemplateProps) {
  const navigate = useNavigate()
  const editor = useEditor({
    draft: `template-of:${plan.id}`,
    id: 'template',
    initial: { title: plan.title },
    labels: { title: messages.saveTitle },
    check: ({ title }) => validateForm(TemplateDraft, { title, from_success_plan_id: plan.id }),
    save: async (draft, _changed, _seen, { new_id }) => {
      const theirs = await createOnce({ ...draft, id: new_id })
      toast(messages.saved(theirs?.title ?? draft.title ?? plan.title), {
        label: messages.show,
        opens: true,
        onSelect: () => void navigate('/templates'),
      })
    },
    done: onClose,
  })
  return (
    <EditorDialog
      editor={editor}
      title={messages.save}
      description={messages.saveLead}
      action={messages.save}
      unavailable={useWriteBlocker()}
      onCancel={onClose}
    >
      <TextField {...editor.field('title')} autoComplete="off" />
    </EditorDialog>
  )
}
