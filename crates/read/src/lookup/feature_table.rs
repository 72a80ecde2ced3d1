//! The table of a candidate's features, with the name, scale and reason of each. The names are the
//! keys of `judge.toml`, the words of `--explain`, and the columns that `training/` learns from, so
//! the three cannot differ.
//!
//! Each trait of `super::traits` adds two more features.

use super::traits::TRAITS;

/// A feature of a candidate.
#[derive(Debug, Clone, Copy)]
pub struct CandidateFeature {
    /// Name in weights, explanations and training files.
    pub name: &'static str,
    /// Divisor for the raw value, which brings all features to a similar size: most values are in
    /// [0, 1], and few exceed 3.
    pub scale: f32,
    /// Reason why the feature distinguishes the right candidate from the others.
    pub meaning: &'static str,
}

impl CandidateFeature {
    /// Returns the feature's name and the scaled value.
    pub(super) fn scaled(&self, raw: f32) -> (&'static str, f32) {
        (self.name, raw / self.scale)
    }
}

/// Returns the names of all features in the order of a [`super::FeatureVector`]: the rows of the
/// table, then two for each trait.
pub fn feature_names() -> impl Iterator<Item = &'static str> {
    FEATURES.iter().map(|feature| feature.name).chain(TRAITS.iter().flat_map(|one| one.names))
}

macro_rules! features {
    ($($id:ident $name:literal $scale:literal $meaning:literal;)*) => {
        $(pub(super) const $id: CandidateFeature = CandidateFeature { name: $name, scale: $scale, meaning: $meaning };)*
        /// All features except traits, in the order of a [`super::FeatureVector`].
        pub const FEATURES: &[CandidateFeature] = &[$($id),*];
    };
}

features! {
    // Length. All lengths are ln(1 + count): 5 is 150 lines, 25 is its square, and 10 and 20 are
    // its product with the length of a procedure.
    LINES "lines" 5.0 "functions worth a description in four parts are longer";
    LINES_SQUARED "lines squared" 25.0 "questions about very short and very long functions are rarer";
    WORDS "words" 5.0 "like lines, for code in a few long lines";
    WORDS_SQUARED "words squared" 25.0 "like lines squared";
    LINES_BY_TOLD "lines by told" 10.0 "a long procedure describes a long function";
    WORDS_BY_TOLD "words by told" 20.0 "like lines by told";
    LINES_BY_STEPS "lines by steps" 20.0 "a procedure with many steps describes a long function";

    // Pairs of neighboring words.
    PHRASES "phrases" 1.0 "share of the question's word pairs that the code contains, weighted by rarity";
    PHRASES_APART "phrases with one between" 1.0 "the same for pairs with one word in between";
    PHRASES_FOUND "phrases found" 1.0 "matched pairs over the square root of all pairs, because longer questions match more by chance";
    PHRASES_OF_NAME "phrases of the name" 1.0 "share of the name's word pairs that the question contains";

    // Words.
    HELD "held" 1.0 "share of the question's words that the code contains, weighted by rarity";
    HELD_RARE "held rare" 1.0 "the same, weighted by the square of rarity";
    SENTENCE_HELD_LEAST "sentence held least" 1.0 "a sentence that shares few words with the code may describe a different function";
    SENTENCES_HELD "sentences held" 1.0 "the same as a mean over sentences of any length";
    HEAD_SPOKEN_OF "head spoken of" 1.0 "share of the signature's words that the question contains";
    CODE_SPOKEN_OF "code spoken of" 1.0 "share of the code's words that the question contains, because a description leaves out little";

    // Sentences against blocks of lines, by the cosine similarity of word vectors.
    SENTENCES_NEAR "sentences near" 1.0 "each sentence describes some lines";
    SENTENCE_NEAR_LEAST "sentence near least" 1.0 "a sentence unlike any line likely describes a different function";
    BLOCKS_NEAR "blocks near" 1.0 "each block of lines has a sentence that describes it";
    BLOCK_NEAR_LEAST "block near least" 1.0 "some lines match no sentence";
    BLOCKS_IN_ORDER "blocks in order" 1.0 "how closely a description follows the order of the code: mean direction between sentences, -1 to 1";

    // Words, by the cosine similarity of word vectors.
    CODE_NEAR "code near" 1.0 "similarity of the question to the words of the code, weighted by rarity";
    WORDS_NEAR "words near" 1.0 "the same without weights";
    WORDS_FAR "words far" 1.0 "share of the code's words that are unlike any word of the question";
    PURPOSE_NEAR "purpose near" 1.0 "similarity of the code to the words of the purpose";
    PURPOSE_NEAR_LEAST "purpose near least" 1.0 "similarity to the least similar word of the purpose";
    INPUT_NEAR "input near" 1.0 "the same as for the purpose";
    INPUT_NEAR_LEAST "input near least" 1.0 "the same as for the purpose";
    OUTPUT_NEAR "output near" 1.0 "the same as for the purpose";
    OUTPUT_NEAR_LEAST "output near least" 1.0 "the same as for the purpose";
    PROCEDURE_NEAR "procedure near" 1.0 "the same as for the purpose";
    PROCEDURE_NEAR_LEAST "procedure near least" 1.0 "the same as for the purpose";
    NAME_NEAR_PURPOSE "name near purpose" 1.0 "a name summarizes the purpose";
    PURPOSE_NEAR_NAME "purpose near name" 1.0 "the same in the other direction";
    NAME_ASKED_FOR "name asked for" 1.0 "share of the name's words that the question contains";

    // Parameters against the input section.
    PARAMETERS_IN_INPUT "parameters in input" 1.0 "share of the parameters that the input section names";
    PARAMETERS_IN_QUESTION "parameters in question" 1.0 "share of the parameters that the question names anywhere";
    PARAMETERS_NEAR "parameters near" 1.0 "inputs are described in different words than the parameter names";
    PARAMETER_NEAR_LEAST "parameter near least" 1.0 "similarity of the parameter that is least like any described input";
    INPUTS_OFF "inputs off" 4.0 "difference between the numbers of described inputs and of parameters, at most 12";
    NONE_TAKEN "none taken as asked" 1.0 "the question states that there is no input, and the function takes none";
    TAKEN_UNASKED "taken though none asked" 1.0 "the question states that there is no input, but the function takes some";
    PARAMETERS "parameters" 5.0 "number of parameters, at most 20";

    // Returned values against the output section.
    RETURNED_SPOKEN_OF "returned spoken of" 1.0 "share of the words of returned values that the output section contains";
    OUTPUT_RETURNED "output returned" 1.0 "share of the words of the output section that returned values contain";
    RETURNED_NEAR "returned near" 1.0 "the same by the cosine of word vectors";
    OUTPUT_NEAR_RETURNED "output near returned" 1.0 "the same in the other direction";
    RETURNS "returns" 1.0 "ln(1 + number of return statements)";

    // Calls, branches and the order of steps against the procedure section.
    CALLS_SPOKEN_OF "calls spoken of" 1.0 "share of the calls that the question names, weighted by rarity";
    CALLS_NEAR "calls near" 1.0 "the same by the cosine of word vectors";
    CALLS "calls" 3.0 "ln(1 + number of calls): 3 is 20 calls";
    CALLS_BY_STEPS "calls by steps" 5.0 "a procedure with many steps describes a function with many calls";
    BRANCHES "branches" 10.0 "number of branches, at most 20";
    LOOPS "loops" 5.0 "number of loops, at most 10";
    STEPS_IN_ORDER "steps in order" 1.0 "agreement between the order of the procedure and of the code, -1 to 1";
    NUMBERS "numbers" 1.0 "share of the question's numbers that the code contains";
    QUOTED "quoted" 1.0 "share of the question's quoted strings that the code contains";
}
