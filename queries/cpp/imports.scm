; Includes come from queries/c. `using std::string;` and `namespace fs = std::filesystem;` name what is included.
