;;; robcogen.el --- Modes for RobCoGen's languages -*- lexical-binding: t -*-

;; Colouring, and the language server `robcogen lsp' by eglot (part of Emacs since 29).
;; In the init file:  (load "/path/to/robcogen.el")  and, for the server at once,
;; (add-hook 'robcogen-mode-hook #'eglot-ensure)

;;; Code:

(defcustom robcogen-command '("robcogen" "lsp")
  "The command that starts the language server."
  :type '(repeat string)
  :group 'languages)

(defvar robcogen-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?^ "w" table)
    table)
  "Names have underscores and carets; comments are those of C++.")

(defun robcogen--words (face &rest words)
  "A rule that shows WORDS in FACE."
  (cons (regexp-opt words 'words) face))

(defvar robcogen-font-lock-keywords
  (list
   (robcogen--words 'font-lock-type-face
    "Robot" "RobotBase" "link" "limb" "r_joint" "p_joint" "fixed_joint"
    "Model" "Frames" "Params" "Transforms" "Jacobians")
   (robcogen--words 'font-lock-keyword-face
    "virtual" "floating" "continuous" "inertia_params" "inertia_properties" "children" "frames"
    "ref_frame" "limits" "friction" "spring" "mimic" "via"
    "Convention" "MovedFramePos" "TransformedFramePos")
   (robcogen--words 'font-lock-constant-face "PI")
   '("\\_<\\([a-zA-Z_]+\\)\\s-*=" 1 font-lock-variable-name-face)
   '("\\_<\\(sqrt\\|sin\\|cos\\|rot[xyz]\\|tr[xyz]\\|[RT][xyz]\\)\\s-*(" 1
     font-lock-function-name-face))
  "Colours of all four languages.")

(defun robcogen-indent-line ()
  "Indent by the braces around the line; the server's formatting does the rest."
  (let ((depth (car (syntax-ppss (line-beginning-position))))
        (closes (save-excursion (back-to-indentation) (looking-at-p "[})]"))))
    (save-excursion (indent-line-to (* 4 (max 0 (- depth (if closes 1 0)))))))
  (when (< (current-column) (current-indentation)) (back-to-indentation)))

;;;###autoload
(define-derived-mode robcogen-mode prog-mode "RobCoGen"
  "Mode for Kinematics-DSL, Motion-DSL, Transforms-DSL and desired transforms."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local indent-line-function #'robcogen-indent-line)
  (setq-local font-lock-defaults '(robcogen-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(kin\\|mot\\|ct\\|dt\\)dsl\\'" . robcogen-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs (cons 'robcogen-mode (lambda (&rest _) robcogen-command))))

(provide 'robcogen)
;;; robcogen.el ends here
