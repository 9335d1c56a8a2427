"""Names that Maxima keeps for itself."""

from __future__ import annotations

_TEXT = """
    abconvtest absboxchar activecontexts algdelta algebraic algepsilon algexact aliases all
    alt_format_prompt announce_rules_firing appendfile arrays assume_pos assume_pos_pred
    assumescalar backsubst backtrace berlefact bessel_reduce besselexpand beta_args_sum_to_integer
    beta_expand bftorat bftrunc boxchar breakup cauchysum cflength combineflag compgrind context
    contexts current_let_rule_package debugmode default_format_prompt default_let_rule_package
    define_variable demoivre dependencies derivabbrev derivsubst detout dispflag display2d
    display_format_internal disptime distribute_over doallmxops domain domxexpt domxmxops
    domxnctimes domxplus domxtimes dontfactor doscmxops doscmxplus dot0nscsimp dot0simp dot1simp
    dotassoc dotconstrules dotdistrib dotexptsimp dotident dotscrules ecm_limit ecm_limit_delta
    ecm_max_limit ecm_number_of_curves ef_coeff_add ef_coeff_exp ef_coeff_inv ef_coeff_mult
    erf_representation erfflag error error_size error_syms errormsg expand_polynomials expintexpand
    expintrep expon exponentialize expop exptdispflag exptisolate exptsubst facexpand factlim
    factor_max_degree factor_max_degree_print_warning factorflag factorial_expand factors_only false
    fast_bfloat_conversion fast_bfloat_threshold features file_output_append file_search_demo
    file_search_lisp file_search_maxima file_search_tests file_search_usage file_type_lisp
    file_type_maxima find_root_abs find_root_error find_root_rel float float2bf
    float_approx_equal_tolerance floatwidth fortfloat fortindent fortspaces fpprec fpprintprec
    functions gamma_expand gammalim gcd genindex gensumnum geomview_command gf_balanced
    gf_cantor_zassenhaus gf_coeff_limit gf_logs gf_powers gf_rat gf_symmetric gf_zech_logs
    globalsolve gnuplot_command gnuplot_file_args gnuplot_view_args gradefs grind grindswitch
    halfangles help homog_hack hypergeometric_representation ifactor_verbose in_netmath inchar
    infeval inflag infolists intanalysis integrate_use_rootsof integration_constant
    integration_constant_counter intfaclim invert_by_adjoint_size_limit invert_method
    isolate_wrt_times keepfloat known_index_properties labels leftjust let_rule_packages letrat
    letvarsimp lhospitallim liflag limitdomain limsubst linechar linel linenum linsolve_params
    linsolvewarn lispdisp listarith listconstvars listdummyvars lmxchar load_pathname loadprint
    logabs logarc logconcoeffp logexpand lognegint logsimp m1pbranch macroexpansion macros
    manual_demo maperror mapprint matrix_element_add matrix_element_mult matrix_element_transpose
    maxapplydepth maxapplyheight maxfpprintprec maxima_frontend maxima_frontend_version
    maxima_objdir maxima_tempdir maxima_userdir maxmin_effort maxnegex maxposex maxpsifracdenom
    maxpsifracnum maxpsinegint maxpsiposint maxtaydiff maxtayorder mdebug_print_length
    mgnuplot_command mode_check_errorp mode_check_warnp mode_checkp multiplicities mx0simp myoptions
    nalgfac negdistrib negsumdispflag niceindicespref nointegrate nolabels norepeat noundisp numer
    numer_pbranch off on opproperties opsubst optimprefix optimwarn optionset outchar packagefile
    parsewindow partswitch pfeformat piece plot_options pointbound pois1 poislim poisz
    pollard_pm1_limit pollard_pm1_limit_step pollard_pm1_tests pollard_rho_limit
    pollard_rho_limit_step pollard_rho_tests polyfactor powerdisp prederror prefer_d
    prefer_gamma_incomplete prefer_whittaker primep_number_of_tests programmode prompt props
    psexpand pstream radexpand radsubstflag ratalgdenom ratdenomdivide ratepsilon ratexpand ratfac
    ratmx ratprint ratsimpexpons ratvars ratvarswitch ratweights ratwtlvl realonly refcheck
    report_synerr_info report_synerr_line resultant rmxchar rootsconmode rootsepsilon rot rules
    save_primes savedef savefactors scalarmatrixp setcheck setcheckbreak setval
    share_testsuite_files show_openplot showtime signbfloat simp simpproduct simpsum solvedecomposes
    solveexplicit solvefactors solvenullwarn solveradcan solvetrigwarn sparse sqrtdispflag stardisp
    strdisp stringdisp structures sublis_apply_lambda subnumsimp sumexpand sumsplitfact
    taylor_logexpand taylor_order_coefficients taylor_simplifier taylor_truncate_polynomials
    taylordepth testsuite_files timer timer_devalue tlimswitch tr_array_as_ref tr_bind_mode_hook
    tr_bound_function_applyp tr_exponent tr_file_tty_messagesp tr_float_can_branch_complex
    tr_function_call_default tr_numer tr_optimize_max_loop tr_state_vars
    tr_true_name_of_file_being_translated tr_warn_bad_function_calls tr_warn_fexpr tr_warn_meval
    tr_warn_mode tr_warn_undeclared tr_warn_undefined_variable trace trace2f1 trace_break_arg
    trace_max_indent trace_safety translate translate_fast_arrays transrun trigexpand trigexpandplus
    trigexpandtimes triginverses trigsign true ttyoff use_fast_arrays useminmax values vect_cross
    verbose xmaxima_plot_command zerobern zn_primroot_limit zn_primroot_pretest zn_primroot_verbose
"""

VARIABLES = frozenset(_TEXT.split())
"""Variables of the system; a value given to one of them changes how Maxima computes."""
